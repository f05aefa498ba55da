"""Reading Chinese: words and their tags, clause by clause, by the ontology's triggers."""
