-- A number, rounded to 12 significant digits. Sums of the same terms in different orders
-- are then equal.
create or replace macro comparable(x) as
    case
        when x = 0 or not isfinite(x) then x
        else round(x, 11 - cast(floor(log10(abs(x))) as integer))
    end
