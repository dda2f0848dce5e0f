-- Points for a cost: 1 if it equals the cost of VBS, and closer to 0 the larger it is. Null
-- if a cost is missing or negative.
-- source: MaxSAT Evaluation 2022
create or replace macro incomplete_points(cost, vbs_cost) as
    case when vbs_cost >= 0 and cost >= 0 then (1 + vbs_cost) / (1 + cost) end
