-- Whether a time is within the cutoff, by the protocol's at_cutoff; false without a time
-- or a cutoff.
create or replace macro in_time(time, cutoff, at_cutoff) as
    coalesce(time < cutoff or (at_cutoff = 'solved' and time = cutoff), false)
