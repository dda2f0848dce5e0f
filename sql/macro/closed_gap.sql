-- Share of the gap between SBS and VBS that a score closes: 1 = VBS, 0 = SBS. Null if SBS
-- equals VBS. All arguments are costs: lower is better.
-- source: Amadini et al. 2023, Definition 3
create or replace macro closed_gap(score, sbs, vbs) as
    -- Costs that agree to 12 digits are equal: what is left of a sum is no gap.
    -- Quarters, which are exact, have a difference where the numbers are too large.
    case
        when not (isfinite(score) and isfinite(sbs) and isfinite(vbs)) then null
        when abs(sbs - vbs) <= 1e-12 * abs(sbs) then null
        when abs(sbs - score) <= 1e-12 * abs(sbs) then 0
        else (sbs * 0.25e0 - score * 0.25e0) / (sbs * 0.25e0 - vbs * 0.25e0)
    end
