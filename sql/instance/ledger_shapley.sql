-- One row per protocol, scenario, measure, instance, selector and cause, on the selector's home split (column `is_home` of instance_selector). The row contains the Shapley value of the cause.
-- key: protocol, scenario_id, measure, instance_id, repetition, selector, cv_scheme, cv_repetition, position
-- as in ledger_mended: cv_scheme, cv_repetition
-- position: number of the cause: 1 wrong choice, 2 schedule, 3 feature cost, 4 cut off, 5 no answer, 6 run outside
-- cause: cause of the loss: wrong choice, schedule, feature cost, cut off, no answer or run outside (see the columns lost_… of ledger)
-- shapley: saving in cost from removing this cause, averaged over all orders in which the causes can be removed; the six values add up to the selector's cost minus the cost of VBS
-- alone: saving in cost from removing only this cause
-- is_main: whether this cause has the largest value of `shapley` (the first cause if several tie); false if the selector costs no more than VBS
-- source: Shapley 1953, A Value for n-Person Games; the players are the causes
with known as (
    select
        protocol, scenario_id, measure, instance_id, repetition, selector, cv_scheme,
        cv_repetition, answer,
        list(cost order by mended) as costs
    from ledger_mended
    group by all
),

listed as (
    select
        *,
        unnest([1, 2, 3, 4, 5, 6]) as position,
        unnest([
            'wrong choice', 'schedule', 'feature cost', 'cut off', 'no answer',
            'run outside'
        ]) as cause,
        unnest([
            case when answer = 'schedule' then 1 end,
            2,
            4,
            8,
            case when answer = 'none' then 1 end,
            case when answer = 'outside' then 1 end
        ]) as bit
    from known
),

-- Of 24 orders, 6 put a cause right first, 2 after this other or these two, 6 last.
valued as (
    select
        * exclude (costs, bit, answer),
        costs[1] - costs[16] as regret,
        [
            case when bit_count(m) in (0, 3) then 3 else 1 end
            * (costs[m + 1] - costs[m + bit + 1])
            for m in range(16) if m & bit = 0
        ] as savings,
        case
            when bit is null then 0
            when list_count(savings) = 8 then list_sum(savings) / 12
        end as shapley,
        case when bit is null then 0 else costs[1] - costs[bit + 1] end as alone
    from listed
)

select
    * exclude (regret, savings),
    coalesce(
        regret > 0 and shapley > 0
        and position = arg_min(position, (-comparable(shapley), position)) over (
            partition by
                protocol, scenario_id, measure, instance_id, repetition, selector,
                cv_scheme, cv_repetition
        ),
        false
    ) as is_main
from valued
