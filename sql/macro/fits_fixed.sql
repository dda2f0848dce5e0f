-- Whether a number is 0 or its absolute value is between 2^-15 and 2^34. As whole multiples of
-- 2^-68, up to 10^7 such numbers add up exactly.
create or replace macro fits_fixed(x) as
    x = 0 or abs(x) between 0.000030517578125e0 and 17179869184e0
