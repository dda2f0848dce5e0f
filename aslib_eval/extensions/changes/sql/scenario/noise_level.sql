-- One row per protocol, scenario and measure. The row contains the largest differences that count as noise.
-- key: protocol, scenario_id, measure
-- factor: largest ratio of two times that counts as noise: 1.1; for a quality, 1
-- margin: largest difference of two times that counts as noise: 0.1; for a quality, 0 [scenario time unit]
-- spread: pooled standard deviation of the logarithm of the time over repeated runs; times below 0.1 count as 0.1. Only algorithms that solve the instance in all repetitions count. Null without repetitions
-- n_repeated: number of pairs of instance and algorithm from which `spread` is computed
with repeated as (
    select
        protocol, scenario_id, measure, instance_id, algorithm,
        count(*) as n,
        sum_of(ln(greatest(time, 0.1))) as total,
        sum_of(ln(greatest(time, 0.1)) * ln(greatest(time, 0.1))) as squares
    from run_par
    group by all
    having count(*) > 1 and bool_and(solved) and count(time) = count(*)
),

pooled as (
    select
        protocol, scenario_id, measure,
        sqrt(greatest(sum_of(squares - total * total / n), 0) / sum(n - 1)) as spread,
        count(*) as n_repeated
    from repeated
    group by all
)

select
    protocol, scenario_id, measure,
    case when measure_type = 'runtime' then 1.1e0 else 1e0 end as factor,
    case when measure_type = 'runtime' then 1e-1 else 0e0 end as margin,
    spread,
    coalesce(n_repeated, 0) as n_repeated
from chosen_measure
left join pooled using (protocol, scenario_id, measure)
