-- The value of a metric, computed from the mean of its terms: one per instance, negated
-- if higher is better. The shift of the geometric mean is 10.
create or replace macro metric_value(metric, better, term) as
    case
        when metric = 'sgm' then exp(term) - 10
        when better = 'max' then -term
        else term
    end
