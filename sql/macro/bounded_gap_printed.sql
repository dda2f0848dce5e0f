-- The bounded gap exactly as the paper prints it, with vws - vbs as the lower scale.
-- source: Amadini et al. 2023, section 2.2
create or replace macro bounded_gap_printed(score, sbs, vbs, vws) as
    case
        when sbs = vbs then null
        when score < sbs then (sbs - score) / (sbs - vbs)
        else (sbs - score) / (vws - vbs)
    end
