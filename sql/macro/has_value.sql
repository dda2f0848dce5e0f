-- Whether a run of a quality measure has a value; if not, the run failed. A timeout has
-- the best value found so far, unless the protocol's timeout_value says that it failed. A
-- run with any other status than ok has no value.
create or replace macro has_value(value, runstatus, timeout_value) as
    coalesce(
        isfinite(value)
        and (runstatus = 'ok' or runstatus = 'timeout' and timeout_value = 'counts'),
        false
    )
