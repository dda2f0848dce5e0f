-- The value of a quality measure from its cost, in the measure's own direction. Null for
-- runtimes.
create or replace macro own_value(cost, measure_type, maximize) as
    case
        when measure_type = 'solution_quality'
            then case when maximize then 0 - cost else cost end
    end
