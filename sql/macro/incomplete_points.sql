-- (1 + cost of VBS) / (1 + cost), which is 1 for VBS and lower for a higher cost. Null
-- if a cost is missing or negative.
-- source: MaxSAT Evaluation 2022
create or replace macro incomplete_points(cost, vbs_cost) as
    case when vbs_cost >= 0 and cost >= 0 then (1 + vbs_cost) / (1 + cost) end
