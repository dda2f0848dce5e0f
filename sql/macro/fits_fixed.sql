-- Whether a number is 0 or its absolute value is from 2^-15 to 2^34. Each such number is a whole
-- multiple of 2^-68, and up to 10^7 of them add up exactly as 128-bit integers.
create or replace macro fits_fixed(x) as
    x = 0 or abs(x) between 0.000030517578125e0 and 17179869184e0
