/** The edges into a dataset and its columns that its lineage facets tell. Nothing is guessed from SQL. */
import { type ColumnUse, joinUses } from "../../catalog/edge.ts";
import { columnRef, type NodeRef, toFqn } from "../../catalog/identity.ts";
import { fold } from "../../catalog/text.ts";
import type { CrawlEvent } from "../connector.ts";
import { placeId, subjectOf, warning } from "./bodies.ts";
import type { DatasetFacts, KeptInput } from "./kept.ts";
import type { DatasetName } from "./naming.ts";

/** A field that affects all columns makes an edge to each of them. */
const MAX_WIDE_EDGES = 20_000;

/** How a field affects the whole dataset if the event does not say it. */
const SOMEHOW: ColumnUse = { kind: "INDIRECT", transformation: "CONDITIONAL", expression: "" };

interface Flow {
  from: NodeRef;
  to: NodeRef;
  uses: ColumnUse[];
}

/**
 * @param refOf finds the place of a dataset that feeds this one
 * @param object named in errors
 * @returns the edges, and the columns of which the lineage is told; null if no facet tells any
 */
export function flowEvents(
  { ref, facts }: { ref: NodeRef; facts: DatasetFacts },
  refOf: (name: DatasetName) => NodeRef,
  object: string,
): { events: CrawlEvent[]; traced: string[] | null } {
  const lineage = facts.lineage?.value ?? facts.columnLineage?.value ?? null;
  if (lineage === null || lineage.inputs.length + lineage.fields.length === 0) return { events: [], traced: null };
  const { inputs, fields } = lineage;
  const flows = new Map<string, Flow>();
  const add = (column: string, input: KeptInput & { field: string }, uses: readonly ColumnUse[]): void => {
    const [from, to] = [columnRef(refOf(input), input.field), columnRef(ref, column)];
    const key = `${placeId(from)} ${placeId(to)}`;
    flows.set(key, { from, to, uses: [...(flows.get(key)?.uses ?? []), ...uses] });
  };
  for (const [column, of] of fields) {
    for (const input of of) if (hasField(input)) add(column, input, input.uses);
  }
  const events: CrawlEvent[] = [];
  const wide = inputs.filter(hasField);
  const columns = namesOf(facts, fields);
  if (wide.length * columns.length > MAX_WIDE_EDGES) {
    const message = `${wide.length} fields affect all ${columns.length} columns of ${toFqn(ref)}; these uses were left out.`;
    events.push(warning("too_many_edges", object, message));
  } else {
    for (const input of wide) {
      for (const column of columns) add(column, input, input.uses.length > 0 ? input.uses : [SOMEHOW]);
    }
  }
  const sources = new Map([...inputs, ...fields.flatMap(([, of]) => of)].map((each) => [subjectOf(refOf(each)), each]));
  for (const source of sources.values()) {
    events.push({ kind: "edge", edge: { from: refOf(source), to: ref, kind: "derives" }, object });
  }
  for (const { from, to, uses } of flows.values()) {
    events.push({ kind: "edge", edge: { from, to, kind: "derives", uses: joinUses(uses) }, object });
  }
  return { events, traced: fields.map(([column]) => column) };
}

function hasField(input: KeptInput): input is KeptInput & { field: string } {
  return input.field !== null;
}

/** The columns of the dataset, each once. */
function namesOf({ columns }: DatasetFacts, fields: readonly [string, unknown][]): string[] {
  const all = [...(columns?.value ?? []).map(({ name }) => name), ...fields.map(([name]) => name)];
  return [...new Map(all.map((name) => [fold(name), name])).values()];
}
