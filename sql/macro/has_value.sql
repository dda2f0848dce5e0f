-- Whether a run of a quality measure has a value of its own; all others failed. An
-- optimiser that is stopped has the best that it found, unless the protocol's
-- timeout_value says that it failed. What another status left behind is no value.
create or replace macro has_value(value, runstatus, timeout_value) as
    coalesce(
        isfinite(value)
        and (runstatus = 'ok' or runstatus = 'timeout' and timeout_value = 'counts'),
        false
    )
