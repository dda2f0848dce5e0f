"""Splits and draws made at random: numpy only, the generator is passed in."""
