/**
 * The history: one `:Moment` for each moment, one `:KeptNode` for each earlier state of a node, and one `:KeptLink` for
 * each edge or reference that was replaced or deleted. One `:History` for each workspace notes the last moment, so two
 * transactions that make a moment at the same time refuse each other, and one of them is tried again.
 */
import { int } from "neo4j-driver";

import type { ConnectorId, WorkspaceId } from "../../ids.ts";
import { type NodeDifference, statedBy, toState } from "../history/kept-node.ts";
import { type Author, type Moment, nextMoment } from "../history/moments.ts";
import { usesText } from "../../catalog/edge.ts";
import type { HistoryRows } from "../rows.ts";
import type { Run } from "./bolt.ts";
import { keyOf } from "./claims.ts";
import { columns } from "./columns.ts";
import { loadNodes } from "./read-nodes.ts";
import { resultChangeRows } from "./result-changes.ts";
import { endText, momentText } from "./moment-texts.ts";
import { deleteCypher, keepCypher } from "./stated-nodes.ts";
import * as read from "./values.ts";

export const MOMENT = columns({
  number: read.integer,
  at: read.text,
  connectorId: read.connectorId,
  syncId: read.text,
  actor: read.text,
  isFirst: read.flag,
});

export const LAST_MOMENT = `
MATCH (h:History {id: $workspace, workspace: $workspace})
RETURN ${MOMENT.of("h")}`;

/** What earlier moments of the connector say, with those of the same sync first. Moments are few. */
export const OWN_MOMENTS = `
MATCH (m:Moment)
WHERE m.position > $from AND m.position < $to AND m.workspace = $workspace AND m.connectorId = $connectorId
WITH m.syncId = $syncId AS isSame, coalesce(m.isFirst, false) AS isFirst ORDER BY isSame DESC LIMIT $limit
RETURN isSame AND isFirst AS goesOn`;

/** A statement of the connector that another sync made first. Its moments may have been swept. */
export const EARLIER_CLAIM = `
MATCH (s:Source {connectorKey: $connectorKey})
WHERE s.workspace = $workspace
MATCH (c:Claim {sourceId: s.id})
WHERE c.workspace = $workspace AND coalesce(c.firstSyncId, '') <> $syncId
RETURN c.id AS id LIMIT $limit`;

export const NOTE_LAST_MOMENT = `
MERGE (h:History {id: $workspace, workspace: $workspace})
SET h.number = $number, h.at = $at, h.connectorId = $connectorId, h.syncId = $syncId, h.actor = $actor,
  h.isFirst = $isFirst`;

export const SAVE_MOMENTS = `
UNWIND $rows AS row
MERGE (m:Moment {id: row.id, workspace: $workspace})
SET m += row`;

export const KEPT = columns(
  {
    id: read.nodeId,
    parentId: read.nodeIdOrNull,
    key: read.text,
    since: read.integer,
    until: read.integer,
    isWhole: read.flag,
    was: read.json<NodeDifference>,
  },
  { id: (k) => `${k}.nodeId` },
);

export const KEPT_UNTIL = `
UNWIND $ids AS id
MATCH (k:KeptNode {id: id})
WHERE k.workspace = $workspace
RETURN ${KEPT.of("k")}`;

/** A row replaces all earlier properties. */
export const SAVE_KEPT = `
UNWIND $rows AS row
MERGE (k:KeptNode {id: row.id, workspace: row.workspace})
SET k = row`;

export const SAVE_KEPT_LINKS = `
UNWIND $rows AS row
MERGE (k:KeptLink {id: row.id, workspace: row.workspace})
SET k = row`;

const DROP_KEPT = deleteCypher("KeptNode");

/** Keeps edges or references in the history before they are changed or deleted. */
export type KeepLinks = (label: "EdgeClaim" | "Reference", ids: readonly string[]) => Promise<void>;

export interface History {
  openMoment: () => Promise<Moment>;
  keep: KeepLinks;
}

/** @param author null for a copy, which makes no moments and keeps nothing */
export function createHistory(run: Run, workspace: WorkspaceId, author: Author | null): History {
  let moment: Promise<Moment> | undefined;
  const openMoment = (): Promise<Moment> => {
    if (author === null) throw new Error("a copy makes no moments");
    return (moment ??= makeMoment(run, workspace, author));
  };
  return {
    openMoment,
    async keep(label, ids) {
      if (ids.length === 0 || author === null) return;
      const { number: until } = await openMoment();
      await run(keepCypher(label), { workspace, ids, moment: int(until), endsAt: endText(workspace, until) });
    },
  };
}

async function makeMoment(run: Run, workspace: WorkspaceId, author: Author): Promise<Moment> {
  const [row] = await run(LAST_MOMENT, { workspace });
  const last = row === undefined ? null : MOMENT.read(row);
  const next = nextMoment(last, author);
  if (next === last) return last;
  const moment = { ...next, isFirst: await isFirst(run, workspace, author) };
  await saveMoments(run, workspace, [moment]);
  return moment;
}

async function isFirst(run: Run, workspace: WorkspaceId, { connectorId, syncId }: Author): Promise<boolean> {
  if (syncId === "") return false;
  const own = { from: `${workspace}\u0001`, to: `${workspace}\u0002`, connectorId, syncId, limit: int(1) };
  const [last] = await run(OWN_MOMENTS, { workspace, ...own });
  if (last !== undefined) return last[0] === true;
  const connectorKey = keyOf(workspace, connectorId);
  return (await run(EARLIER_CLAIM, { workspace, connectorKey, syncId, limit: int(1) })).length === 0;
}

async function saveMoments(run: Run, workspace: WorkspaceId, moments: readonly Moment[]): Promise<void> {
  const rows = moments.map((moment) => ({
    ...moment,
    id: momentId(workspace, moment.number),
    number: int(moment.number),
    position: momentText(workspace, moment),
  }));
  await run(SAVE_MOMENTS, { workspace, rows });
  const last = moments.at(-1);
  if (last !== undefined) await run(NOTE_LAST_MOMENT, { ...last, workspace, number: int(last.number) });
}

export function momentId(workspace: WorkspaceId, number: number): string {
  return keyOf(workspace, String(number));
}

export function historyRows(run: Run, workspace: WorkspaceId, { openMoment }: History): HistoryRows {
  return {
    ...resultChangeRows(run, workspace),
    openMoment,
    async loadStates(rows) {
      const ids = rows.map(({ identity }) => identity.id);
      const nodes = await loadNodes(run, workspace, ids);
      return new Map(
        rows.flatMap(({ lineageOwner, sources }, i) => {
          const node = nodes[i] ?? null;
          return node === null ? [] : [[node.id, toState(node, { lineageOwner, statedBy: connectorsOf(sources) })]];
        }),
      );
    },
    async loadKept(ids, until) {
      const found = await run(KEPT_UNTIL, { workspace, ids: ids.map((id) => keyOf(id, String(until))) });
      return new Map(found.map(KEPT.read).map((row) => [row.id, row]));
    },
    async saveKept(kept) {
      const rows = kept.map(({ id, parentId, since, until, was, ...row }) => ({
        ...row,
        id: keyOf(id, String(until)),
        workspace,
        nodeId: id,
        ...(parentId !== null && { parentId }),
        since: int(since),
        until: int(until),
        position: `${workspace}\u0001${row.key}`,
        beganAt: endText(workspace, since),
        endsAt: endText(workspace, until),
        was: JSON.stringify(was),
      }));
      await run(SAVE_KEPT, { rows });
    },
    async dropKept(ids, until) {
      await run(DROP_KEPT, { workspace, ids: ids.map((id) => keyOf(id, String(until))) });
    },
    async saveMoments(moments) {
      const [first] = moments;
      if (first === undefined) return;
      const range = { workspace, from: endText(workspace, first.number), to: `${workspace}\u0002` };
      await run(REPLACED_MOMENTS, { ...range, from: `${workspace}\u0001`, number: int(first.number) });
      for (const label of KEPT_LABELS) await run(replacedCypher(label), range);
      await saveMoments(run, workspace, moments);
    },
    async saveKeptLinks(links) {
      const rows = links.map(({ from, to, kind, uses, since, until, connectorId }) => ({
        id: `${keyOf(workspace, connectorId, from, to, kind ?? "", usesText(uses), String(until))}-${since}`,
        workspace,
        fromId: from,
        toId: to,
        kind: kind ?? "",
        connectorId,
        uses: usesText(uses),
        since: int(since),
        until: int(until),
        beganAt: endText(workspace, since),
        endsAt: endText(workspace, until),
      }));
      await run(SAVE_KEPT_LINKS, { rows });
    },
  };
}

export const REPLACED_MOMENTS = `
MATCH (m:Moment)
WHERE m.position >= $from AND m.position < $to AND m.workspace = $workspace AND m.number >= $number
DELETE m`;

/** The labels of what is kept until a moment, in the order in which it is removed. */
export const KEPT_LABELS = ["KeptNode", "KeptLink", "ResultChange"] as const;

export const replacedCypher = (label: (typeof KEPT_LABELS)[number]): string => `
MATCH (k:${label})
WHERE k.endsAt >= $from AND k.endsAt < $to AND k.workspace = $workspace
DELETE k`;

/** The connectors in a text of `sourcesText`. */
export function connectorsOf(sources: unknown): ConnectorId[] {
  const pairs = read.json<[connectorId: ConnectorId, sourceId: string][]>(sources);
  return statedBy(pairs.map(([connectorId]) => connectorId));
}

/** Rows in one step of a sweep. */
const SOME = 1_000;

/** The last moment until a time. Moments are few: one for each sync or person that changes something. */
export const LAST_UNTIL = `
MATCH (m:Moment)
WHERE m.position > $from AND m.position < $to AND m.workspace = $workspace
RETURN max(m.number) AS number`;

export const OLD_MOMENTS = `
MATCH (m:Moment)
WHERE m.position > $from AND m.position < $to AND m.workspace = $workspace AND m.number < $number
WITH m ORDER BY m.position LIMIT $limit
RETURN m.id AS id`;

export const oldCypher = (label: (typeof KEPT_LABELS)[number]): string => `
MATCH (k:${label})
WHERE k.endsAt > $from AND k.endsAt <= $to AND k.workspace = $workspace
WITH k LIMIT $limit
RETURN k.id AS id`;

/**
 * Removes the history before the last moment until `before`: one bounded step. The moments go first, because the oldest
 * one says where history begins.
 * @returns whether nothing is left to remove
 */
export async function sweepHistory(run: Run, workspace: WorkspaceId, before: string): Promise<boolean> {
  const [from, limit] = [`${workspace}\u0001`, int(SOME)];
  const until = { workspace, from, to: `${workspace}\u0001${before}\u0002` };
  const number = (await run(LAST_UNTIL, until))[0]?.[0] ?? null;
  if (number === null) return true;
  const moments = await run(OLD_MOMENTS, { ...until, number: int(read.integer(number)), limit });
  if (moments.length > 0) {
    await run(deleteCypher("Moment"), { workspace, ids: moments.map(([id]) => read.text(id)) });
    return false;
  }
  const range = { workspace, from, to: endText(workspace, read.integer(number)), limit };
  for (const label of KEPT_LABELS) {
    const rows = await run(oldCypher(label), range);
    if (rows.length === 0) continue;
    await run(deleteCypher(label), { workspace, ids: rows.map(([id]) => read.text(id)) });
    return false;
  }
  return true;
}
