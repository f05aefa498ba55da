"""Reading English: a parse, repaired, by the ontology's triggers."""
