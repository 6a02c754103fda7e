/** The edges between datasets and between their columns. */
import { type ColumnUse, joinUses } from "../../catalog/edge.ts";
import { columnRef, type NodeRef } from "../../catalog/identity.ts";
import { MAX_LISTED } from "../../catalog/limits.ts";
import type { EdgeStatement } from "../../catalog/statement.ts";
import { fold } from "../../catalog/text.ts";
import type { CrawlEvent } from "../connector.ts";
import type { Pause } from "../pacing.ts";
import { warningEvent } from "../faults.ts";
import { identityOf } from "../identity.ts";
import { type Flow, MAX_PAIRS } from "./aspects.ts";
import { columnName } from "./columns.ts";
import type { Naming } from "./naming.ts";
import { parseField } from "./urn.ts";

type EdgeEvent = CrawlEvent & { kind: "edge" };

/** The edges of a source, each once and none from a node to itself. */
export class Edges {
  readonly #edges = new Map<string, EdgeEvent>();
  /** The entities whose lineage of columns is left out, at least in part. */
  readonly #tooMany = new Set<string>();
  readonly #naming: Naming;

  constructor(naming: Naming) {
    this.#naming = naming;
  }

  /** @param keys of the ends, as `identityOf` makes them */
  add(edge: EdgeStatement, object: string, [from, to] = [identityOf(edge.from), identityOf(edge.to)]): void {
    const key = `${edge.kind}\n${from}\n${to}`;
    const [known, { uses = [] }] = [this.#edges.get(key), edge];
    if (from === to || (known !== undefined && uses.length === 0)) return;
    const joined = joinUses([...(known?.edge.uses ?? []), ...uses]).slice(0, MAX_LISTED);
    this.#edges.set(key, { kind: "edge", edge: { ...edge, uses: joined }, object });
  }

  /** Adds an edge between two entities, unless one of them is of no kind that is kept. */
  join(from: string, to: string, kind: EdgeStatement["kind"]): void {
    const [a, b] = [this.#naming.refOf(from), this.#naming.refOf(to)];
    if (a !== null && b !== null) this.add({ from: a, to: b, kind }, to);
  }

  /**
   * Adds the lineage of columns. If a whole dataset is named instead of a column, the lineage is one of datasets.
   * @returns the columns that come from other columns alone
   */
  *flows(flows: readonly Flow[], object: string): Generator<Pause, FlowEnd[]> {
    const traced: FlowEnd[] = [];
    let pairs = 0;
    for (const { upstreams, downstreams, transformOperation } of flows) {
      yield null;
      // A few words could state billions: each of many to each of many.
      pairs += upstreams.length * downstreams.length;
      const isKept = pairs <= MAX_PAIRS;
      if (!isKept) this.#tooMany.add(object);
      const uses = toUses(transformOperation);
      const [from, ends] = [yield* this.#ends(upstreams, isKept), yield* this.#ends(downstreams, isKept)];
      for (const to of ends) {
        if (to === null) continue;
        // A column is no source of itself, such as one of a dbt source and of its table.
        const sources = from.filter((end) => end === null || !isSame(end, to));
        for (const source of sources) {
          yield null;
          if (source !== null) this.#flow(source, to, { uses, object });
        }
        if (to.column !== null && sources.length > 0 && sources.every((each) => each?.column != null)) traced.push(to);
      }
    }
    return traced;
  }

  *#ends(urns: readonly string[], withColumns: boolean): Generator<Pause, (FlowEnd | null)[]> {
    const ends: (FlowEnd | null)[] = [];
    for (const urn of urns) {
      yield null;
      ends.push(this.#end(urn));
    }
    return withColumns ? ends : wholesOf(ends);
  }

  #flow(from: FlowEnd, to: FlowEnd, { uses, object }: { uses: ColumnUse[]; object: string }): void {
    this.add({ from: from.ref, to: to.ref, kind: "derives" }, object, [from.key, to.key]);
    if (from.column === null || to.column === null) return;
    const ends = { from: columnRef(from.ref, from.column), to: columnRef(to.ref, to.column) };
    this.add({ ...ends, kind: "derives", uses }, object, [
      `${from.key} ${fold(from.column)}`,
      `${to.key} ${fold(to.column)}`,
    ]);
  }

  #end(urn: string): FlowEnd | null {
    const field = parseField(urn);
    const ref = this.#naming.refOf(field?.dataset ?? urn);
    return ref === null ? null : { ref, key: identityOf(ref), column: field === null ? null : columnName(field.path) };
  }

  *events(): Generator<CrawlEvent> {
    yield* this.#edges.values();
    for (const object of this.#tooMany) {
      const message = `${object} states more than ${MAX_PAIRS} pairs of columns: what is beyond is kept as lineage of tables.`;
      yield warningEvent({ code: "too_many_columns", message, object, stage: "parse" });
    }
  }
}

/** A dataset, or one of its columns. */
interface FlowEnd {
  ref: NodeRef;
  /** That of the dataset. */
  key: string;
  column: string | null;
}

/** The datasets of columns, each once. */
function wholesOf(ends: readonly (FlowEnd | null)[]): FlowEnd[] {
  const wholes = ends.flatMap((end) => (end === null ? [] : [{ ...end, column: null }]));
  return [...new Map(wholes.map((end) => [end.key, end])).values()];
}

function isSame(a: FlowEnd, b: FlowEnd): boolean {
  return a.key === b.key && fold(a.column ?? "") === fold(b.column ?? "");
}

/** `COPY: "ORDERS"."ID" AS "ID"`, also without the SQL. Most sources say nothing. */
function toUses(operation: string): ColumnUse[] {
  if (operation === "" || operation === "NONE") return [];
  const isCopy = /^(?:COPY|IDENTITY)\b/.test(operation);
  const expression = operation.replace(/^[A-Z_]+(?::\s*|$)/, "");
  return [{ kind: "DIRECT", transformation: isCopy ? "IDENTITY" : "TRANSFORMATION", expression }];
}

/** Names of the columns of one dataset among these. */
export function columnsOf(ref: NodeRef, ends: readonly FlowEnd[]): string[] {
  const key = identityOf(ref);
  const own = ends.flatMap((end) => (end.column !== null && end.key === key ? [end.column] : []));
  return [...new Map(own.map((name) => [fold(name), name])).values()];
}
