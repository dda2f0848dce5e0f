-- One row per feature step of a scenario that the protocol charges, in the order in which they are run.
-- key: step
-- step: feature step
-- requires: steps that must run before
select s.step, r.requires
from stg_feature_step as s
inner join raw_feature_step as r using (scenario_id, step)
where s.scenario_id = $scenario and r.of = 'instance'
order by s.position
