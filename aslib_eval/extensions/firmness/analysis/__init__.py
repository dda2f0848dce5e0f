"""How firm the places of scenarios and competitions are."""
