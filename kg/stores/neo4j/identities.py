"""Who is who, and the claims about some entities: properties of ``Entity`` and the Cypher around them.

``canonical_id`` is the entity that it is kept as (its own id while it is one with nobody), ``own_name`` what its
id is made of; entities that were never one with others have neither.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from ...model import Entity
from ...store import Identity
from . import rows
from .points import Instants
from .rows import Props
from .schema import CLAIM_TYPES
from .server import Queries, run

READ: Final = """
UNWIND $ids AS id
MATCH (e:Entity {tenant: $tenant, id: id}) USING INDEX SEEK e:Entity(tenant, id)
WHERE e.canonical_id IS NOT NULL
WITH DISTINCT e.canonical_id AS canonical_id
MATCH (m:Entity {tenant: $tenant, canonical_id: canonical_id}) USING INDEX SEEK m:Entity(tenant, canonical_id)
RETURN m {.id, .own_name, .canonical_id} AS i
"""

PUT: Final = """
UNWIND $rows AS row
MERGE (e:Entity {tenant: $tenant, id: row.id})
ON CREATE SET e.name = row.title
SET e.canonical_id = row.canonical_id, e.own_name = row.own_name
"""

HAS: Final = """
MATCH (t:Tenant {wall: $wall})
SET t.has_identities = true
"""

OWN_NAMES: Final = """
UNWIND $ids AS id
MATCH (e:Entity {tenant: $tenant, id: id}) USING INDEX SEEK e:Entity(tenant, id)
WHERE e.own_name IS NOT NULL
RETURN e.id AS id, e.own_name AS name
"""

READ_CLAIMS: Final = f"""
UNWIND $ids AS id
CALL (id) {{
  MATCH (f:Fact {{tenant: $tenant, subject_id: id}}) USING INDEX SEEK f:Fact(tenant, subject_id) RETURN f
  UNION
  MATCH (f:Fact {{tenant: $tenant, object_id: id}}) USING INDEX SEEK f:Fact(tenant, object_id) RETURN f
}}
WITH DISTINCT f WHERE $predicate IS NULL OR f.predicate = $predicate
MATCH (:Episode)-[c:{"|".join(CLAIM_TYPES)}]->(f) WHERE c.tenant = $tenant AND c.retracted_us = $never
RETURN properties(c) AS c
"""


def identity_of(row: Props) -> Identity:
    return Identity(row["id"], row["own_name"], row["canonical_id"])


def identity_row(identity: Identity) -> dict[str, Any]:
    return {
        "id": identity.entity_id,
        "title": rows.title(identity.name),
        "own_name": identity.name,
        "canonical_id": identity.canonical_id,
    }


def own_names(found: Collection[Props]) -> dict[str, Entity]:
    """Entities that nothing mentions, from ``OWN_NAMES``."""
    return {row["id"]: Entity(row["id"], row["name"]) for row in found}


async def called_by_own_names(tx: Queries, at: Instants, ids: Collection[str]) -> dict[str, Entity]:
    if not ids:
        return {}
    return own_names(await run(tx, OWN_NAMES, {**at.params, "ids": sorted(ids)}))
