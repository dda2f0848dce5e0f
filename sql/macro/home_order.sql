-- Rank of a split by its name: split, aslib, none, others. The selector's scores use its
-- split with the lowest rank, the first by name if several have it.
create or replace macro home_order(cv_scheme) as
    case cv_scheme when 'split' then 0 when 'aslib' then 1 when 'none' then 2 else 3 end
