-- Value of a quality measure from its cost: minus the cost if higher values are better,
-- else the cost. Null for runtimes.
create or replace macro own_value(cost, measure_type, maximize) as
    case
        when measure_type = 'solution_quality'
            then case when maximize then 0 - cost else cost end
    end
