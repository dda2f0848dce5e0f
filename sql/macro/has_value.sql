-- Whether a run of a quality measure has a value; a run without a value failed. A run
-- with a timeout has the best value found so far, but no value under the protocol's
-- timeout_value = failed. A run with a status other than ok and timeout has no value.
create or replace macro has_value(value, runstatus, timeout_value) as
    coalesce(
        isfinite(value)
        and (runstatus = 'ok' or runstatus = 'timeout' and timeout_value = 'counts'),
        false
    )
