-- Points as an integer that counts units of 2^-53, so that sums are exact. Null if the points are
-- not finite or too large for 64 bits.
create or replace macro exact_points(points) as
    try_cast(9007199254740992e0 * points as bigint)
