-- One row per algorithm and run status under a measure.
-- key: algorithm, runstatus
-- runstatus: status of the runs: ok, timeout, memout, crash, presolved, ...
-- n: number of runs of the algorithm with this status
select algorithm, runstatus, count(*) as n
from raw_run
where scenario_id = $scenario and measure = $measure
group by all
order by algorithm, n desc, runstatus
