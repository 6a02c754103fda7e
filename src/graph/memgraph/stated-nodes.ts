/** Cypher for what a source states: each statement is one node of a label, with the ids of its source and its sync. */

type Label = "Claim" | "EdgeClaim" | "Reference" | "Check";

/** The statements of a source that this sync did not repeat. A clause that reads or deletes `s` follows. */
export function staleCypher(label: Label): string {
  return `
MATCH (s:${label} {sourceId: $sourceId})
WHERE s.workspace = $workspace AND s.syncId <> $syncId`;
}

/** @param columns what is returned of `s` */
export function someCypher(label: Label, columns: string): string {
  return `
MATCH (s:${label} {sourceId: $sourceId})
WHERE s.workspace = $workspace
WITH s LIMIT $limit
RETURN ${columns}`;
}

export function deleteCypher(label: Label): string {
  return `
UNWIND $ids AS id
MATCH (s:${label} {id: id})
WHERE s.workspace = $workspace
DELETE s`;
}
