-- One row per lake: whether no solver solves any instance of it.
-- key: nobody_solves
-- nobody_solves: whether all measures are runtimes and no solver solves any instance; null without scores
select bool_and(measure_type = 'runtime' and coalesce(solved, 0) = 0) as nobody_solves
from solver_score
