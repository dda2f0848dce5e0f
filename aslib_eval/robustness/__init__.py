"""How far a result depends on the instances: splits, and draws with replacement.

Splits of one scenario share its instances, and so do draws: what is counted over
them describes the spread, it does not make more data.
"""
