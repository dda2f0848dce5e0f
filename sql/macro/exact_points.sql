-- Points as a whole multiple of 2^-53, which adds up exactly. Null if points is not finite, or
-- too large for 64 bits.
create or replace macro exact_points(points) as
    try_cast(9007199254740992e0 * points as bigint)
