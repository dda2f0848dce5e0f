-- Points of a solution: (best + shift) / (objective + shift), which is 1 for the best known objective. If larger is better, pass both objectives negated; the points are then (shift - objective) / (shift - best). Null if the ratio would be negative or its divisor is 0.
-- source: MaxSAT Evaluation 2022, rules, rankings; IPC 2023, rules of the satisficing track
create or replace macro ratio_to_best(objective, best, shift) as
    case
        when objective = best then 1
        when best < 0 and objective <= 0 then (shift - objective) / (shift - best)
        when best + shift >= 0 and objective + shift > 0
            then (best + shift) / (objective + shift)
    end
