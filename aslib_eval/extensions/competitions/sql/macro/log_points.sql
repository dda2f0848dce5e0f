-- Points of a solved run by its time: 1 up to one second, 0 at the cutoff, and linear in the logarithm of the time between them.
-- source: IPC 2023, rules of the agile track
create or replace macro log_points(time, cutoff) as
    case when time <= 1 then 1 else greatest(0, 1 - ln(time) / ln(cutoff)) end
