-- One row per protocol, scenario and selector. The row says where the selector's predictions come from.
-- stored: yes
-- key: protocol, scenario_id, selector
-- protocol: name of the protocol; no other column depends on it
-- cv_scheme: split that the selector's scores use; if the selector has predictions on several splits, the first one in the order split, aslib, none, others by name
-- origin: origin of the predictions: trained (by aslib-eval), imported (from a file) or stored (by other programs); null = not noted
-- seed: random seed of the training
-- version: version of aslib-eval that trained the selector
-- elsewhere: other splits on which the selector has predictions, with origin, seed and version; the relations instance_selector and split_gap contain the scores on these splits
-- trained: text that lists all splits on which the selector has predictions, with origin, seed and version
with noted as (
    select
        s.*, o.origin, o.seed, o.version,
        concat_ws(
            ', ',
            s.cv_scheme,
            case when o.origin <> 'trained' then o.origin end,
            'seed ' || o.seed,
            'aslib-eval ' || o.version
        ) as words
    from selector_scheme as s
    left join raw_selector as o using (scenario_id, selector, cv_scheme)
),

gathered as (
    select
        protocol, scenario_id, selector,
        min(cv_scheme) filter (place = 1) as cv_scheme,
        min(origin) filter (place = 1) as origin,
        min(seed) filter (place = 1) as seed,
        min(version) filter (place = 1) as version,
        string_agg(words, '; ' order by place) filter (place > 1) as elsewhere,
        min(words) filter (place = 1) as words
    from noted
    group by all
)

select
    * exclude (words),
    concat_ws('; also ', words, elsewhere) as trained
from gathered
