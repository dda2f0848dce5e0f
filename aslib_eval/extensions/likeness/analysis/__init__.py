"""How far scenarios are apart, by profile, ranks and features."""
