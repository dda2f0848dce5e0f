-- The value of a metric from the mean of its terms over the instances. Terms are negated if
-- higher is better. For the metric sgm, they are logarithms: the value is exp(term) - 10.
create or replace macro metric_value(metric, better, term) as
    case
        when metric = 'sgm' then exp(term) - 10
        when better = 'max' then -term
        else term
    end
