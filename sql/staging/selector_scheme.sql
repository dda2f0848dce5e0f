-- One row per protocol, scenario, selector and split on which it has predictions.
-- key: protocol, scenario_id, selector, cv_scheme
-- protocol: name of the protocol; no other column depends on it
-- cv_scheme: split that the selections were trained on
-- place: 1 = the split that the selector's scores use; then the other splits in the order of preference
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
