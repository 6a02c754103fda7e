/** Reads the history for the list of changes: see `ChangeRows`. */
import { int } from "neo4j-driver";

import { type NodeId, toNodeId, type WorkspaceId } from "../../ids.ts";
import type { ChangeRows } from "../history/past-rows.ts";
import type { Row, Run, Read } from "./bolt.ts";
import { MOMENT } from "./history.ts";
import { endText } from "./moment-texts.ts";
import { pastRows } from "./past-rows.ts";
import { RESULT_CHANGE, toResultChange } from "./result-changes.ts";
import { integer, text } from "./values.ts";

export const NEWEST_MOMENTS = `
MATCH (m:Moment)
WHERE m.position > $from AND m.position < $to AND m.workspace = $workspace AND m.number < $before
WITH m ORDER BY m.number DESC LIMIT $limit
RETURN ${MOMENT.of("m")}`;

/** The nodes that the rows of a label are about, if they began or ended at a moment. */
function atCypher(label: string, when: "beganAt" | "endsAt", about: "id" | "nodeId" | "toId", also = ""): string {
  return `
MATCH (s:${label})
WHERE s.${when} = $at AND s.workspace = $workspace${also}
RETURN s.${about} AS id`;
}

/** References have no kind. */
const IS_EDGE = " AND s.kind <> ''";

export const BEGAN = atCypher("Asset", "beganAt", "id");
export const KEPT_BEGAN = atCypher("KeptNode", "beganAt", "nodeId");
export const KEPT_ENDED = atCypher("KeptNode", "endsAt", "nodeId");
export const EDGES_BEGAN = atCypher("EdgeClaim", "beganAt", "toId");
export const LINKS_BEGAN = atCypher("KeptLink", "beganAt", "toId", IS_EDGE);
export const LINKS_ENDED = atCypher("KeptLink", "endsAt", "toId", IS_EDGE);

export const RESULT_CHANGES_AT = `
MATCH (r:ResultChange)
WHERE r.endsAt = $at AND r.workspace = $workspace
RETURN ${RESULT_CHANGE.of("r")}`;

/** With the columns of the other statements about moments. */
export const RESULT_MOMENTS = `
UNWIND $ids AS id
MATCH (r:ResultChange {nodeId: id})
WHERE r.workspace = $workspace
RETURN r.nodeId AS id, r.moment AS since, r.moment AS until`;

export const PRESENT_SINCE = `
UNWIND $ids AS id
MATCH (a:Asset {id: id, workspace: $workspace})
RETURN a.id AS id, coalesce(a.since, 0) AS since, 0 AS until`;

export const KEPT_SPANS = `
UNWIND $ids AS id
MATCH (k:KeptNode {nodeId: id})
WHERE k.workspace = $workspace
RETURN k.nodeId AS id, k.since AS since, k.until AS until`;

/** @param run runs statements that see one state of the store */
export function changeRows(run: Run, workspace: WorkspaceId): ChangeRows {
  const findAt = async (statements: readonly string[], moment: number): Promise<NodeId[]> => {
    const found = await readAll(statements, { at: endText(workspace, moment) });
    return [...new Set(found.map(([id]) => toNodeId(text(id))))];
  };
  const readAll = async (statements: readonly string[], parameters: Record<string, unknown>): Promise<Row[]> => {
    const rows: Row[] = [];
    for (const statement of statements) rows.push(...(await run(statement, { workspace, ...parameters })));
    return rows;
  };
  return {
    ...pastRows(run, workspace),
    listMoments: (span) => listMoments(run, workspace, span),
    findTouched: ({ number }) => findAt([BEGAN, KEPT_BEGAN, KEPT_ENDED], number),
    findRelinked: ({ number }) => findAt([EDGES_BEGAN, LINKS_BEGAN, LINKS_ENDED], number),
    findResultChanges: async ({ number }) =>
      (await run(RESULT_CHANGES_AT, { workspace, at: endText(workspace, number) })).map(toResultChange),
    async findMomentsOf(ids) {
      const found = await readAll([PRESENT_SINCE, KEPT_SPANS, RESULT_MOMENTS], { ids });
      return [...new Set(found.flatMap(([, since, until]) => [integer(since), integer(until)]))];
    },
  };
}

export const listMoments: Read<"listMoments"> = async (run, workspace, span) => {
  const rows = await run(NEWEST_MOMENTS, {
    workspace,
    from: `${workspace}\u0001${span.since}`,
    to: `${workspace}\u0001${span.until}\u0002`,
    before: int(Math.min(span.before, Number.MAX_SAFE_INTEGER)),
    limit: int(span.limit),
  });
  return rows.map(MOMENT.read);
};
