-- Share of the gap between SBS and VBS that a score closes: 1 = VBS, 0 = SBS.
-- Null where SBS equals VBS. All three are costs: lower is better.
-- source: Amadini et al. 2023, Definition 3
create or replace macro closed_gap(score, sbs, vbs) as
    case when sbs <> vbs then (sbs - score) / (sbs - vbs) end
