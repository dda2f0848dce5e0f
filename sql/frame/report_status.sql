-- One row per algorithm and run status of a measure.
-- key: algorithm, runstatus
-- parameter scenario: scenario
-- parameter measure: measure
-- algorithm: algorithm of the portfolio, as text
-- runstatus: ok, timeout, memout, crash, presolved, ...
-- n: number of runs with this status
select algorithm, runstatus, count(*) as n
from raw_run
where scenario_id = $scenario and measure = $measure
group by all
order by algorithm, n desc, runstatus
