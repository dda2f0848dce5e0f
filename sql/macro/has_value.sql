-- Whether a run of a quality measure has a value; all others failed. An
-- optimiser that was stopped has the best value that it found, unless the protocol's
-- timeout_value says that it failed. A run with another status has no value.
create or replace macro has_value(value, runstatus, timeout_value) as
    coalesce(
        isfinite(value)
        and (runstatus = 'ok' or runstatus = 'timeout' and timeout_value = 'counts'),
        false
    )
