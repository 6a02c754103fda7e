/** States a project's checks: its tests, the contracts of its models, and the freshness of its sources. */
import type { CheckResult, CheckStatement } from "../../catalog/check.ts";
import type { NodeRef } from "../../catalog/identity.ts";
import { type CrawlEvent, PLAIN_CHECK } from "../connector.ts";
import { checkNames } from "./check-results.ts";
import {
  contractColumnsShape,
  contractShape,
  freshSourceShape,
  type PendingCheck,
  testShape,
  unitTestShape,
} from "./check-shapes.ts";
import { InputNames } from "./input-names.ts";
import type { ProjectGraph } from "./project-graph.ts";
import { type Member, parseMember, type Wanted } from "./read-members.ts";
import { isRelation } from "./relation-ref.ts";
import { toDataTest, toUnitTest } from "./tests.ts";

/** Makes a check when all names of the project are known. Returns null if there is nothing to check. */
type Make = (inputs: InputNames) => PendingCheck | null;

export const isCheck: Wanted = (section, key) =>
  section === "unit_tests" || (section === "nodes" && key.startsWith("test."));

/** Gathers the checks of a project while its manifest is read. */
export class ProjectChecks {
  readonly #inputs = new InputNames();
  readonly #pending: Make[] = [];

  /** Takes a test, or a model or source that may have a contract or a freshness check. */
  *add(member: Member): Generator<CrawlEvent> {
    const { section, key: id, value, excess } = member;
    if (isRelation(section, id)) {
      this.#inputs.add(structuredClone(id));
      // If it is too large, `stateRelation` reports the error.
      if (excess === null) this.#keep(section === "sources" ? toFreshness(id, value) : toContract(id, value), same);
    } else if (section === "unit_tests") {
      this.#keep(withId(id, yield* parseMember(member, unitTestShape)), toUnitTest);
    } else {
      this.#keep(withId(id, yield* parseMember(member, testShape)), toDataTest);
    }
  }

  /** Copies the value, because a slice would keep the file's whole chunk in memory. */
  #keep<T extends object>(value: T | null, make: (value: T, inputs: InputNames) => PendingCheck | null): void {
    if (value === null) return;
    const kept = structuredClone(value);
    this.#pending.push((inputs) => make(kept, inputs));
  }

  /** States all checks that have an asset in the graph. */
  *state(graph: ProjectGraph, results: ReadonlyMap<string, CheckResult>): Generator<CrawlEvent> {
    for (const make of this.#pending.splice(0)) {
      const check = make(this.#inputs);
      const statement = check === null ? null : toStatement(check, graph, results);
      if (statement !== null) yield { kind: "check", check: statement };
    }
  }
}

const same = <T>(check: T): T => check;

function withId<T extends object>(id: string, test: T | null): (T & { id: string }) | null {
  return test && Object.assign(test, { id });
}

function toStatement(
  check: PendingCheck,
  graph: ProjectGraph,
  results: ReadonlyMap<string, CheckResult>,
): CheckStatement | null {
  const refOf = (id: string): NodeRef[] => [graph.findById(id)].filter((ref) => ref !== null);
  const assets = [...new Set(check.assets)].flatMap(refOf);
  if (assets.length === 0) return null;
  return {
    ...check,
    assets,
    columns: check.columns.flatMap(({ asset: id, name: column, type }) =>
      refOf(id).map((asset) => ({ asset, name: column, type })),
    ),
    texts: check.texts.map(({ assets: ids, text, instead }) => ({ assets: ids.flatMap(refOf), text, instead })),
    result: results.get(check.object) ?? null,
  };
}

/** The contract of a model. Returns null if it has none that is enforced. */
function toContract(id: string, value: unknown): PendingCheck | null {
  const parsed = id.startsWith("model.") ? contractShape.safeParse(value) : undefined;
  if (parsed?.success !== true) return null;
  const { name, contract, config } = parsed.data;
  if (contract?.enforced !== true && config?.contract?.enforced !== true) return null;
  const parsedColumns = contractColumnsShape.safeParse(value);
  if (!parsedColumns.success) return null;
  return {
    ...PLAIN_CHECK,
    object: checkNames.contract(id),
    name: `contract of ${name}`,
    kind: "contract",
    assets: [id],
    columns: Object.entries(parsedColumns.data.columns ?? {}).map(([key, column]) => ({
      asset: id,
      name: column.name || key,
      type: column.data_type,
    })),
  };
}

/** The freshness check of a source. Returns null if it has none. */
function toFreshness(id: string, value: unknown): PendingCheck | null {
  const parsed = freshSourceShape.safeParse(value);
  if (!parsed.success) return null;
  const { name, source_name: source, config } = parsed.data;
  const freshness = config?.freshness ?? parsed.data.freshness ?? null;
  if (freshness === null || (freshness.warn_after ?? freshness.error_after) === null) return null;
  const field = config?.loaded_at_field || parsed.data.loaded_at_field;
  const query = config?.loaded_at_query || parsed.data.loaded_at_query;
  return {
    ...PLAIN_CHECK,
    object: checkNames.freshness(id),
    name: `freshness of ${source === "" ? "" : `${source}.`}${name}`,
    kind: "freshness",
    severity: freshness.error_after === null ? "warn" : "error",
    assets: [id],
    columns: field === "" ? [] : [{ asset: id, name: field, type: "" }],
    texts: [query, freshness.filter].flatMap((text) => (text === "" ? [] : [{ assets: [id], text, instead: false }])),
  };
}
