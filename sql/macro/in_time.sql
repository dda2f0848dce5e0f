-- Whether a time is within the cutoff. The protocol's setting at_cutoff says whether a
-- time equal to the cutoff is in time. False without a time or a cutoff.
create or replace macro in_time(time, cutoff, at_cutoff) as
    coalesce(time < cutoff or (at_cutoff = 'solved' and time = cutoff), false)
