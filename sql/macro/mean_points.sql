-- The mean of points that were added up as exact_points.
create or replace macro mean_points(total, n) as
    total / 9007199254740992e0 / n
