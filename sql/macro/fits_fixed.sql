-- Whether a number is 0 or its absolute value is from 2^-15 to 2^34. Up to 10^7 such numbers add
-- up exactly, as whole multiples of 2^-68.
create or replace macro fits_fixed(x) as
    x = 0 or abs(x) between 0.000030517578125e0 and 17179869184e0
