-- One row per protocol, scenario and selector: where its predictions come from.
-- key: protocol, scenario_id, selector
-- protocol: name of the protocol; nothing here depends on it
-- scenario_id: scenario
-- selector: selector
-- cv_scheme: split whose predictions make its scores: the first of split, aslib, none, others by name
-- origin: trained (here), imported (from a file) or stored (by a program); null = not noted
-- seed: seed of the training
-- version: version of aslib-eval that trained it
-- elsewhere: other splits on which it has predictions, with origin, seed and version; their scores are in instance_selector and split_gap
-- trained: all of that in words
with said as (
    select scenario_id, selector, cv_scheme from raw_selection
    union
    select scenario_id, selector, cv_scheme from raw_outcome
),

noted as (
    select
        s.scenario_id,
        s.selector,
        s.cv_scheme,
        o.origin,
        o.seed,
        o.version,
        concat_ws(
            ', ',
            s.cv_scheme,
            case when o.origin <> 'trained' then o.origin end,
            'seed ' || o.seed,
            'aslib-eval ' || o.version
        ) as words
    from said as s
    left join raw_selector as o
        on o.scenario_id = s.scenario_id
        and o.selector = s.selector
        and o.cv_scheme = s.cv_scheme
),

ordered as (
    select
        *,
        row_number() over (
            partition by scenario_id, selector
            order by home_order(cv_scheme), cv_scheme
        ) as place
    from noted
),

others as (
    select scenario_id, selector, string_agg(words, '; ' order by place) as elsewhere
    from ordered
    where place > 1
    group by scenario_id, selector
)

select
    p.protocol,
    h.scenario_id,
    h.selector,
    h.cv_scheme,
    h.origin,
    h.seed,
    h.version,
    o.elsewhere,
    concat_ws('; also ', h.words, o.elsewhere) as trained
from ordered as h
cross join protocol as p
left join others as o
    on o.scenario_id = h.scenario_id and o.selector = h.selector
where h.place = 1
