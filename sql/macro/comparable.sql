-- A number to 12 significant digits, so that sums of the same terms in another order count
-- as equal.
create or replace macro comparable(x) as
    case
        when x = 0 or not isfinite(x) then x
        else round(x, 11 - cast(floor(log10(abs(x))) as integer))
    end
