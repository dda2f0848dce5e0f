-- Whether a run of a quality measure has a value; a run without a value failed. The value
-- of a run with a timeout is the best value found so far; if the protocol sets
-- timeout_value = failed, this run has no value. Runs with other statuses have none.
create or replace macro has_value(value, runstatus, timeout_value) as
    coalesce(
        isfinite(value)
        and (runstatus = 'ok' or runstatus = 'timeout' and timeout_value = 'counts'),
        false
    )
