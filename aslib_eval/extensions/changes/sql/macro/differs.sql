-- Whether two values differ by more than a factor and also by more than an absolute
-- margin. Rounding errors do not count.
create or replace macro differs(x, y, factor, margin) as
    abs(x - y) > margin * (1 + 1e-9)
    and abs(x - y) > (1 - 1 / factor) * greatest(abs(x), abs(y)) * (1 + 1e-9)
