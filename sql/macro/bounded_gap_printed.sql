-- Variant of bounded_gap in Amadini et al. 2023: a solver worse than SBS gets (sbs -
-- score) / (vws - vbs), so VWS does not reach -1. Null if SBS equals VBS to 12 digits.
-- source: Amadini et al. 2023, section 2.2
create or replace macro bounded_gap_printed(score, sbs, vbs, vws) as
    -- Equal to 12 digits is equal, and quarters do not overflow: see closed_gap.
    case
        when not (isfinite(score) and isfinite(sbs) and isfinite(vbs)) then null
        when abs(sbs - vbs) <= 1e-12 * abs(sbs) then null
        when abs(sbs - score) <= 1e-12 * abs(sbs) then 0
        when score < sbs
            then (sbs * 0.25e0 - score * 0.25e0) / (sbs * 0.25e0 - vbs * 0.25e0)
        when isfinite(vws)
            then (sbs * 0.25e0 - score * 0.25e0) / (vws * 0.25e0 - vbs * 0.25e0)
    end
