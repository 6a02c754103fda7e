/** Works out how complete an answer about some nodes is. */
import { type Coverage, type Gap, INCOMPLETE_CRAWL, MAX_GAPS } from "../../catalog/coverage.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import { type ConnectorId, toConnectorId } from "../../ids.ts";
import { inParts } from "./in-parts.ts";
import { parseStored } from "./node-row.ts";
import { integer, type Row, type Statements, text } from "./statements.ts";

/** What is read about each node: its rowid, whether it has a gap, and the rowid of the set of sources that state it. */
export interface Covered {
  seq: number;
  gap: number;
  sources: number;
}

/** @param row with the columns `seq`, `gap` and `source_set` */
export function toCovered(row: Row): Covered {
  return { seq: integer(row, "seq"), gap: integer(row, "gap"), sources: integer(row, "source_set") };
}

const COVERED = `
  SELECT n.seq, n.gap, n.source_set FROM json_each($nodes) AS asked CROSS JOIN nodes AS n ON n.seq = asked.value
  ORDER BY asked.key`;

/** @param nodes rowids */
export function coverNodes(sql: Statements, nodes: readonly number[]): Coverage {
  const rows = inParts(nodes, (part) => sql.integers(COVERED, { nodes: JSON.stringify(part) }));
  const covered = rows.map(([seq = 0, gap = 0, sources = 0]): Covered => ({ seq, gap, sources }));
  return cover(sql, covered);
}

/** @param nodes in the order of the answer */
export function cover(sql: Statements, nodes: readonly Covered[]): Coverage {
  const sets = new Map([...new Set(nodes.map(({ sources }) => sources))].map((set) => [set, loadSet(sql, set)]));
  const open = nodes.filter(({ gap, sources }) => gap === 1 || sets.get(sources)?.isIncomplete === true);
  return {
    connectors: [...new Set([...sets.values()].flatMap(({ connectors }) => connectors))].toSorted(compareCodePoints),
    gaps: open.slice(0, MAX_GAPS).map(({ seq }) => loadGap(sql, seq)),
    gapsTotal: open.length,
  };
}

interface SourceSet {
  connectors: ConnectorId[];
  /** Whether the last crawl of any of them ended before everything was read. */
  isIncomplete: boolean;
}

function loadSet(sql: Statements, set: number): SourceSet {
  const rows = sql.all(
    `SELECT s.connector, s.incomplete FROM source_sets AS t, json_each(t.sources) AS each
       CROSS JOIN sources AS s ON s.seq = each.value WHERE t.seq = $set`,
    { set },
  );
  return {
    connectors: rows.map((row) => toConnectorId(text(row, "connector"))),
    isIncomplete: rows.some((row) => integer(row, "incomplete") === 1),
  };
}

function loadGap(sql: Statements, seq: number): Gap {
  const row = sql.get("SELECT shown FROM nodes WHERE seq = $seq", { seq });
  if (row === undefined) throw new RangeError(`no node ${seq}`);
  const { id, gap } = parseStored(row);
  return { id, reason: gap || INCOMPLETE_CRAWL };
}
