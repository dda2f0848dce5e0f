-- The mean of n points: total is the sum of their exact_points.
create or replace macro mean_points(total, n) as
    total / 9007199254740992e0 / n
