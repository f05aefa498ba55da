"""The writing Cypher. Every statement takes ``$tenant``, ``$now`` and ``$never``.

The server does not count what a procedure changes, so those statements answer how much they ``changed``.
"""

from __future__ import annotations

from typing import Final

from .rows import EPISODE, FACT, NAMING, PERIOD
from .schema import ALWAYS, CLAIM_TYPES, SUPERSEDED

LOCK: Final = f"""
MERGE (t:Tenant {{wall: $wall}})
ON CREATE SET t.id = $tenant, t.tx_us = {ALWAYS}
SET t.writer = $writer
WITH t
OPTIONAL MATCH (m:HithertoEmbedder {{one: true}})
RETURN m.name AS embedder, m.dimension AS dimension, t.tx_us AS tx_us,
  t.has_identities AS has_identities, t.has_archive AS has_archive,
  t.fact_docs AS fact_docs, t.fact_words AS fact_words,
  t.episode_docs AS episode_docs, t.episode_words AS episode_words, t.naming_docs AS naming_docs,
  t.naming_words AS naming_words
"""
"""Write before you read: the SET takes the lock, so what is read after it is the newest."""

COMMIT: Final = """
MATCH (t:Tenant {wall: $wall})
SET t.tx_us = $now, t.last_commit = $at, t += $totals
CREATE (c:Commit {tenant: $tenant, tx_us: $now, at: $at})
SET c += $totals, c += $texts
"""

READ_EPISODES: Final = f"""
UNWIND $ids AS id
MATCH (e:Episode {{tenant: $tenant, id: id}}) USING INDEX SEEK e:Episode(tenant, id)
RETURN {EPISODE} AS e
"""

PUT_EPISODES: Final = """
UNWIND $rows AS row
MERGE (e:Episode {tenant: $tenant, id: row.id})
SET e += row.props
WITH e, row WHERE row.vector IS NOT NULL AND (e.embedding_key IS NULL OR e.embedding_key <> row.vector_key)
SET e.embedding_key = row.vector_key
WITH e, row
CALL db.create.setNodeVectorProperty(e, 'embedding', row.vector)
RETURN count(*) AS changed
"""

READ_SIGHTINGS: Final = """
UNWIND $ids AS id
MATCH (e:Entity {tenant: $tenant, id: id}) USING INDEX SEEK e:Entity(tenant, id)
RETURN e {.id, .kind, .sighted_names, .sighted_kinds, .sighted_counts, .named_us} AS e
"""

PUT_ENTITIES: Final = """
UNWIND $rows AS row
MERGE (e:Entity {tenant: $tenant, id: row.id})
REMOVE e:$(row.lost)
SET e:$(row.gained)
SET e += row.props, e.first_us = coalesce(e.first_us, $now)
"""

CLOSE_NAMINGS: Final = """
UNWIND $rows AS row
MATCH (n:Naming {tenant: $tenant, entity_id: row.id, from_us: row.from_us})
USING INDEX SEEK n:Naming(tenant, entity_id, from_us)
SET n.to_us = $now
"""

DROP_NAMINGS: Final = """
UNWIND $rows AS row
MATCH (n:Naming {tenant: $tenant, entity_id: row.id, from_us: row.from_us})
USING INDEX SEEK n:Naming(tenant, entity_id, from_us)
DELETE n
"""

OPEN_NAMINGS: Final = """
UNWIND $rows AS row
CREATE (n:Naming {tenant: $tenant, entity_id: row.id, from_us: $now, to_us: $never})
SET n += row.props
WITH row
UNWIND row.props.keys AS key
MERGE (:NameKey {tenant: $tenant, key: key, entity_id: row.id})
"""

READ_NAMINGS: Final = f"""
UNWIND $ids AS id
MATCH (n:Naming {{tenant: $tenant, entity_id: id}}) USING INDEX SEEK n:Naming(tenant, entity_id, from_us)
WHERE n.from_us IS NOT NULL
RETURN {NAMING} AS n ORDER BY n.from_us
"""

PUT_ENTITY_VECTORS: Final = """
UNWIND $rows AS row
MERGE (e:Entity {tenant: $tenant, id: row.id})
WITH e, row WHERE e.embedding_key IS NULL OR e.embedding_key <> row.vector_key
SET e.embedding_key = row.vector_key
WITH e, row
CALL db.create.setNodeVectorProperty(e, 'embedding', row.vector)
RETURN count(*) AS changed
"""

READ_FACTS: Final = f"""
UNWIND $ids AS id
MATCH (f:Fact {{tenant: $tenant, id: id}}) USING INDEX SEEK f:Fact(tenant, id)
RETURN {FACT} AS f
"""

PUT_FACTS: Final = """
UNWIND $rows AS row
MERGE (f:Fact {tenant: $tenant, id: row.id})
ON CREATE SET f += row.props, f.ingested_us = $now
WITH f WHERE f.ingested_us = $now
RETURN collect(f.id) AS new
"""

FILL_VECTORS: Final = """
UNWIND $rows AS row
MATCH (f:Fact {tenant: $tenant, id: row.id}) USING INDEX SEEK f:Fact(tenant, id) WHERE f.embedding IS NULL
CALL db.create.setNodeVectorProperty(f, 'embedding', row.vector)
WITH f
OPTIONAL MATCH (p:Period {fact_id: f.id}) USING INDEX SEEK p:Period(fact_id) WHERE p.tenant = $tenant
SET p.embedding = f.embedding
RETURN count(*) AS changed
"""


CLAIM_RULES: Final = """
UNWIND $rows AS row
MERGE (r:HithertoRule {tenant: $tenant, predicate: row[0]})
ON CREATE SET r.rule = row[1]
RETURN collect([r.predicate, r.rule]) AS found
"""


def put_claims(kind: str) -> str:
    return f"""
UNWIND $rows AS row
MATCH (e:Episode {{tenant: $tenant, id: row.props.episode_id}}) USING INDEX SEEK e:Episode(tenant, id)
MATCH (f:Fact {{tenant: $tenant, id: row.props.fact_id}}) USING INDEX SEEK f:Fact(tenant, id)
MERGE (e)-[c:{kind} {{tenant: $tenant, id: row.props.id}}]->(f)
ON CREATE SET c += row.props, c.slot = row.slot, c.recorded_us = $now, c.retracted_us = $never, c.past_us = []
ON MATCH SET c += CASE
  WHEN c.retracted_us = $never THEN {{}}
  WHEN c.retracted_us = $now THEN {{slot: row.slot, retracted_us: $never}}
  ELSE {{slot: row.slot, recorded_us: $now, retracted_us: $never, past_us: CASE
    WHEN c.recorded_us = c.retracted_us THEN c.past_us ELSE c.past_us + [c.recorded_us, c.retracted_us] END}}
  END
RETURN count(*) AS found
"""


READ_EPISODE_CLAIMS: Final = f"""
MATCH (e:Episode {{tenant: $tenant, id: $id}})-[c:{"|".join(CLAIM_TYPES)}]->(:Fact)
USING INDEX SEEK e:Episode(tenant, id)
WHERE c.tenant = $tenant
RETURN properties(c) AS c ORDER BY c.position, c.id
"""


def each_claim_type(index: str, condition: str) -> str:
    """The claims ``c`` of any type under the condition, each type by its own index on these properties."""
    return " UNION ALL ".join(
        f"MATCH ()-[c:{kind}]->() USING INDEX SEEK c:{kind}({index}) WHERE {condition} RETURN c"
        for kind in CLAIM_TYPES
    )


RETRACT_CLAIMS: Final = f"""
UNWIND $ids AS id
CALL (id) {{ {each_claim_type("tenant, id", "c.tenant = $tenant AND c.id = id")} }}
WITH c WHERE c.retracted_us = $never
SET c.retracted_us = $now
"""

READ_SLOT_CLAIMS: Final = f"""
UNWIND $slots AS slot
CALL (slot) {{ {each_claim_type("slot, retracted_us", "c.slot = slot AND c.retracted_us = $never")} }}
WITH c WHERE c.tenant = $tenant
RETURN properties(c) AS c
"""

READ_SLOT_PERIODS: Final = f"""
UNWIND $slots AS slot
MATCH (p:Period {{slot: slot, superseded_us: $never}}) USING INDEX SEEK p:Period(slot, superseded_us)
WHERE p.tenant = $tenant
RETURN {PERIOD} AS p
"""

_OBJECT: Final = """
CALL (p) {
  WITH p WHERE p.object_id IS NOT NULL MATCH (o:Entity {tenant: $tenant, id: p.object_id})
    USING INDEX SEEK o:Entity(tenant, id) RETURN o
  UNION ALL
  WITH p WHERE p.object_id IS NULL MATCH (o:Value {tenant: $tenant, id: p.object_key})
    USING INDEX SEEK o:Value(tenant, id) RETURN o
}
"""

SUPERSEDE: Final = f"""
UNWIND $ids AS id
MATCH (p:Period {{tenant: $tenant, id: id}}) USING INDEX SEEK p:Period(tenant, id) WHERE p.superseded_us = $never
SET p.superseded_us = $now
WITH p
MATCH (s:Entity {{tenant: $tenant, id: p.subject_id}}) USING INDEX SEEK s:Entity(tenant, id)
{_OBJECT}
MATCH (s)-[r]->(o) WHERE r.id = p.id
CREATE (s)-[once:{SUPERSEDED}]->(o)
SET once = properties(r), once.superseded_at = $at
DELETE r
"""

PUT_PERIODS: Final = """
UNWIND $rows AS row
MATCH (f:Fact {tenant: $tenant, id: row.props.fact_id}) USING INDEX SEEK f:Fact(tenant, id)
CREATE (p:Period {tenant: $tenant, ingested_us: $now, superseded_us: $never})-[:OF]->(f)
SET p += row.props, p.subject_id = f.subject_id, p.predicate = f.predicate, p.object_id = f.object_id,
  p.object_key = f.object_key, p.text = f.text, p.is_event = f.is_event, p.during = row.edge.during,
  p.shows_us = CASE WHEN f.is_event THEN $never ELSE row.props.to_us END, p.embedding = f.embedding,
  p.archived_us = f.archived_us
MERGE (s:Entity {tenant: $tenant, id: f.subject_id})
  ON CREATE SET s.name = f.subject_name
WITH row, f, s
CALL (f) {
  WITH f WHERE f.object_id IS NOT NULL MERGE (o:Entity {tenant: $tenant, id: f.object_id})
    ON CREATE SET o.name = f.object_name RETURN o
  UNION ALL
  WITH f WHERE f.object_id IS NULL MERGE (o:Value {tenant: $tenant, id: f.object_key})
    ON CREATE SET o.name = f.object_name RETURN o
}
CREATE (s)-[r:$(f.edge_type)]->(o)
SET r = row.edge, r.tenant = $tenant, r.predicate = f.predicate, r.text = f.text, r.ingested_at = $at
RETURN count(*) AS found
"""
