-- Closed gap above SBS; below it, the share of the way from SBS down to VWS: -1 = VWS.
-- Null where SBS equals VBS. The paper prints vws - vbs below, which does not
-- reach -1: see bounded_gap_printed.
-- source: Amadini et al. 2023, section 2.2
create or replace macro bounded_gap(score, sbs, vbs, vws) as
    case
        when sbs = vbs then null
        when score < sbs then (sbs - score) / (sbs - vbs)
        when score = sbs then 0
        when sbs <> vws then (sbs - score) / (vws - sbs)
    end
