-- Points as a multiple of 2^-53: as whole numbers they add up exactly, in whatever order.
-- What is no number is null.
create or replace macro exact_points(points) as
    try_cast(9007199254740992e0 * points as bigint)
