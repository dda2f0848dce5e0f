-- Whether two values differ by more than a factor and by more than a margin. Rounding
-- errors have no effect.
create or replace macro differs(x, y, factor, margin) as
    abs(x - y) > margin * (1 + 1e-9)
    and abs(x - y) > (1 - 1 / factor) * greatest(abs(x), abs(y)) * (1 + 1e-9)
