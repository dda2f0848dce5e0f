-- Whether a run of a quality measure has a value; a run without one has failed. A run that
-- timed out has the best value found so far, or none if the protocol sets
-- timeout_value = failed. A run with a status other than ok and timeout has none.
create or replace macro has_value(value, runstatus, timeout_value) as
    coalesce(
        isfinite(value)
        and (runstatus = 'ok' or runstatus = 'timeout' and timeout_value = 'counts'),
        false
    )
