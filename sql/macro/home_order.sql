-- Position of a split in the order of a selector's splits. The first split determines the
-- selector's scores. Splits with the same position are sorted by name.
create or replace macro home_order(cv_scheme) as
    case cv_scheme when 'split' then 0 when 'aslib' then 1 when 'none' then 2 else 3 end
