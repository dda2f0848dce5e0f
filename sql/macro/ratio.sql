-- A quotient; null if the divisor is 0.
create or replace macro ratio(a, b) as
    case when b <> 0 then a / b end
