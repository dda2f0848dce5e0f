-- One row per lake. The row says whether no solver solves any instance of the lake.
-- key: nobody_solves
-- nobody_solves: true if all measures are runtimes and no solver solves any instance, else false; null without scores
select bool_and(measure_type = 'runtime' and coalesce(solved, 0) = 0) as nobody_solves
from solver_score
