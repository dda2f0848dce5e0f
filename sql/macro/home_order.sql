-- Rank of a split by its name, in the order split, aslib, none, others. The scores of a
-- selector use its split with the lowest rank.
create or replace macro home_order(cv_scheme) as
    case cv_scheme when 'split' then 0 when 'aslib' then 1 when 'none' then 2 else 3 end
