/**
 * The log of what changes in the lineage of a workspace, by which an index in memory follows the store. One
 * `:LineageChange` for each of the last changes names the nodes that it touched. The number of a change is that of the
 * last one and the number of these nodes, so the difference of two numbers says how many nodes there are to read again.
 * The `:WriteLine` of the workspace has the last number. All writes of lineage take their turn there, so their numbers
 * are in the order of the writing.
 */
import { randomUUID } from "node:crypto";

import { int } from "neo4j-driver";

import type { WorkspaceId } from "../../ids.ts";
import { MOST_CHANGES } from "../lineage-index/named-lineage.ts";
import type { Parameters, Row, Run } from "./bolt.ts";
import { keyOf } from "./claims.ts";
import { ADD_REFERENCES } from "./connections.ts";
import { addEdgesCypher, deleteEdgesCypher, referencesAtCypher, saveEdgesCypher, STALE_REFERENCES } from "./edges.ts";
import { SWITCHED_REFERENCES } from "./lineage-owner.ts";
import { endText } from "./moment-texts.ts";
import { ADD, REMOVE, SAVE } from "./stored-asset.ts";
import { SOME_REFERENCES } from "./take.ts";
import { list, text } from "./values.ts";

export const NOTE_CHANGE = `
MATCH (l:WriteLine {id: $workspace, workspace: $workspace})
SET l.changes = $number, l.mark = $mark
CREATE (c:LineageChange {id: $id, workspace: $workspace, position: $position, mark: $mark, nodes: $nodes})`;

export const FORGET_CHANGES = `
MATCH (c:LineageChange)
WHERE c.position >= $from AND c.position < $to AND c.workspace = $workspace
DELETE c`;

/** Older changes than those that an index follows are removed each time that so many nodes were touched. */
const ROUND = 2_000;

const inRows =
  (place: number) =>
  ({ rows }: Parameters): unknown[] =>
    list(rows).map((row) => list(row)[place]);
const inAnswer =
  (place: number) =>
  (_: Parameters, answer: readonly Row[]): unknown[] =>
    answer.map((row) => row[place]);

/**
 * For each statement that changes lineage, or finds what the next one deletes, the nodes that it touches: those that it
 * writes or removes, and those from which it writes or removes an edge or a reference.
 */
export const TOUCHED: ReadonlyMap<string, (parameters: Parameters, answer: readonly Row[]) => unknown[]> = new Map([
  [ADD, inRows(0)],
  [SAVE, ({ rows }: Parameters) => list(rows).map((row) => (row as { id: unknown }).id)],
  [REMOVE, ({ ids }: Parameters) => list(ids)],
  ...(["asset", "column"] as const).flatMap((level) =>
    [addEdgesCypher(level), saveEdgesCypher(level), deleteEdgesCypher(level)].map(
      (statement) => [statement, inRows(0)] as const,
    ),
  ),
  [ADD_REFERENCES, inRows(1)],
  ...[STALE_REFERENCES, SOME_REFERENCES, referencesAtCypher("fromId"), referencesAtCypher("toId")].map(
    (statement) => [statement, inAnswer(1)] as const,
  ),
  [SWITCHED_REFERENCES, inAnswer(0)],
]);

/**
 * Does a write of lineage in its transaction, and notes what it touched.
 * @param last the number of the workspace's last change
 */
export async function noteChanges<T>(
  run: Run,
  workspace: WorkspaceId,
  last: number,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  const touched = new Set<string>();
  const result = await work(async (statement, parameters) => {
    const answer = await run(statement, parameters);
    for (const node of TOUCHED.get(statement)?.(parameters, answer) ?? []) touched.add(text(node));
    return answer;
  });
  if (touched.size === 0) return result;
  const number = last + touched.size;
  // An index from before a larger write is loaded again.
  const nodes = touched.size > MOST_CHANGES ? [] : [...touched];
  const change = { id: keyOf(workspace, String(number)), position: endText(workspace, number), mark: randomUUID() };
  await run(NOTE_CHANGE, { ...change, workspace, number: int(number), nodes });
  if (number > MOST_CHANGES && Math.floor(number / ROUND) > Math.floor(last / ROUND)) {
    const range = { from: endText(workspace, 0), to: endText(workspace, number - MOST_CHANGES) };
    await run(FORGET_CHANGES, { ...range, workspace });
  }
  return result;
}
