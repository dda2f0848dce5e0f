-- One row per protocol, scenario, selector and split on which the selector has predictions.
-- key: protocol, scenario_id, selector, cv_scheme
-- protocol: name of the protocol; no other column depends on it
-- cv_scheme: split on which the selector was trained
-- place: rank of the split among the splits of the selector. The selector's scores use the split with rank 1; the order is split, aslib, none, others by name
with predicted as (
    select scenario_id, selector, cv_scheme from raw_selection
    union
    select scenario_id, selector, cv_scheme from raw_outcome
)

select
    protocol, scenario_id, selector, cv_scheme,
    row_number() over (
        partition by protocol, scenario_id, selector
        order by home_order(cv_scheme), cv_scheme
    ) as place
from predicted
cross join protocol
