/**
 * What the agent looks up: operations of `schema/tools/agent.graphql`, run as whoever asks. Every call is counted, so that
 * no question may make more than its share of them.
 */
import type { NodeType } from "../catalog/node-types.ts";
import { canChange, type ChangeType } from "../catalog/impact.ts";
import { MAX_DEPTH } from "../catalog/lineage.ts";
import { fold } from "../catalog/text.ts";
import type { Answer, Found, Operation } from "../operations.ts";
import { createSemaphore } from "../work/semaphore.ts";
import { addDoubts, type ChecksSeen, doubtsOf, type Raw } from "./catalog.ts";
import { type Thing, type Time, toThing, type Walked, type Way } from "./catalog.ts";

type Variables = Readonly<Record<string, unknown>>;

/**
 * Runs an operation of `schema/tools` with the rights of whoever asks.
 * @throws AppError as the operation does
 */
export type RunTool = (operation: string, variables: Variables) => Promise<unknown>;

/** Ends a question to which there is no exact answer; its message says why, to whoever asked. */
export class CannotTell extends Error {}

const TOO_MANY_CALLS = "That needs more look-ups than one question may make. Ask about less at once.";

/** Calls of the graph that one question may make; what would need more is answered with "at least". */
const MAX_CALLS = 400;
/** Look-ups that wait for the store at one time. More would be refused, and keep others of the same key waiting. */
const MAX_AT_ONCE = 8;
const IDS_AT_ONCE = 100;
/** How often a walk is continued, and from how many ends at once. */
const MAX_ROUNDS = 5;
const MAX_ENDS = 20;
const PAGE = 200;

export type Lookup = ReturnType<typeof createLookup>;

/** What the store can filter by, a value each. An owner is an e-mail address. */
export const FILTERS = ["tag", "owner", "certification", "connector"] as const;
export type Filter = { types: readonly NodeType[] } & Partial<Record<(typeof FILTERS)[number], string>>;

/** Which uses of columns a walk follows. */
type Uses = "direct" | "all";
type OfEach = "AgentLoad" | "AgentColumns" | "AgentNeighbours" | "AgentChecks";

interface Page {
  items: Raw[];
  total?: number | null;
  pageInfo: { hasNextPage: boolean; endCursor: string };
}

export function createLookup(runTool: RunTool) {
  let calls = 0;
  const inPlace = createSemaphore(MAX_AT_ONCE);
  const known = new Map<string, Thing>();
  const byFqn = new Map<string, Thing[]>();
  const walks = new Map<string, Promise<Walked>>();

  async function run<Name extends Operation>(operation: Name, variables: Variables = {}): Promise<Found<Name, Time>> {
    if (++calls > MAX_CALLS) throw new CannotTell(TOO_MANY_CALLS);
    // The executor has checked the operations against the schema.
    return (await inPlace(() => runTool(operation, variables))) as Found<Name, Time>;
  }

  /** What an operation selects of nodes, some at a time; those that are gone are left out. */
  async function runForEach<Selected>(operation: OfEach, ids: readonly string[]): Promise<Selected[]> {
    const all: Selected[] = [];
    for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
      const { nodes } = await run(operation, { ids: ids.slice(at, at + IDS_AT_ONCE) });
      all.push(...((nodes ?? []).filter((node) => node !== null) as Selected[]));
    }
    return all;
  }

  function keep(nodes: readonly Raw[]): Thing[] {
    const things = nodes.map(toThing);
    for (const thing of things) {
      known.set(thing.id, thing);
      const same = byFqn.getOrInsertComputed(fold(thing.fqn), () => []);
      same.push(thing);
      if (same.some(({ id }) => id !== thing.id)) for (const each of same) each.hasNamesake = true;
    }
    return things;
  }

  async function readPages(operation: "AgentListAssets" | "AgentListMetrics", variables: Variables, limit: number) {
    const items: Thing[] = [];
    let after: string | null = null;
    for (;;) {
      const first = Math.max(1, Math.min(PAGE, limit - items.length));
      const { found } = (await run(operation, { ...variables, first, after })) as { found: Page };
      items.push(...keep(found.items));
      if (!found.pageInfo.hasNextPage || items.length >= limit)
        return { items: items.slice(0, limit), total: found.total ?? items.length };
      after = found.pageInfo.endCursor;
    }
  }

  /** Assets, metrics or both, as the types want it, with the number of all that pass the filter. Hits are not counted. */
  async function list({ types, ...filter }: Filter & { search?: string }, limit: number) {
    const assetTypes = types.filter((type) => type !== "metric");
    const variables = { ...filter, isSearch: "search" in filter };
    const lists = await Promise.all([
      ...(assetTypes.length > 0 ? [readPages("AgentListAssets", { types: assetTypes, ...variables }, limit)] : []),
      ...(types.includes("metric") ? [readPages("AgentListMetrics", variables, limit)] : []),
    ]);
    return { items: lists.flatMap(({ items }) => items), total: lists.reduce((sum, { total }) => sum + total, 0) };
  }

  /** Goes on from where one walk ends, since a walk has a bound on its hops. */
  async function walkFar(id: string, direction: Way, depth: number, uses: Uses): Promise<Walked> {
    const variables = { direction, depth: Math.min(depth, MAX_DEPTH), uses };
    const seen = new Set([id]);
    const walked: Walked = { nodes: [], edges: [], isExact: true, isComplete: true };
    let ends = [id];
    for (let round = 0; ends.length > 0; round++) {
      if (round > MAX_ROUNDS || ends.length > MAX_ENDS) return { ...walked, isExact: false };
      const found = await Promise.all(ends.map((end) => run("AgentWalk", { id: end, ...variables })));
      const all = found.flatMap(({ lineage }) => lineage ?? []);
      const fresh = all.flatMap(({ nodes }) => nodes).filter((node) => !seen.has(node.id) && seen.add(node.id));
      for (const lineage of all) addDoubts(walked, doubtsOf(lineage));
      walked.nodes = walked.nodes.concat(fresh.map((node) => ({ ...node, depth: node.depth + round * MAX_DEPTH })));
      walked.edges = walked.edges.concat(all.flatMap(({ edges }) => edges));
      ends = depth > MAX_DEPTH ? fresh.filter((node) => node.depth === MAX_DEPTH).map((node) => node.id) : [];
    }
    return walked;
  }

  return {
    /** The best first. */
    search: async (text: string, types: readonly NodeType[], first: number) =>
      (await list({ search: text, types }, first)).items,
    list,
    /** Those that there are, in the order of the ids. */
    async load(ids: readonly string[]): Promise<Thing[]> {
      const others = ids.filter((id) => !known.has(id));
      keep(await runForEach<Raw>("AgentLoad", others));
      return ids.flatMap((id) => known.get(id) ?? []);
    },
    /** Of the tables and models among the things. */
    async columns(things: readonly Pick<Thing, "id" | "type">[]): Promise<Thing[]> {
      const ids = things.filter(({ type }) => type === "table" || type === "model").map(({ id }) => id);
      const nodes = await runForEach<{ columns?: Raw[] }>("AgentColumns", ids);
      return nodes.flatMap(({ columns = [] }) => keep(columns));
    },
    async neighbourCounts(ids: readonly string[]) {
      type Counted = { id: string; lineageSummary: Record<Way, number> };
      const nodes = await runForEach<Counted>("AgentNeighbours", ids);
      return new Map(nodes.map(({ id, lineageSummary }) => [id, lineageSummary]));
    },
    /** Of the assets among the things: those that test it. Others, which only need it to test something else, do not count. */
    async checks(things: readonly Pick<Thing, "id" | "type">[]): Promise<Map<string, ChecksSeen>> {
      const types = new Map(things.filter(({ type }) => type !== "metric").map(({ id, type }) => [id, type]));
      const nodes = await runForEach<{ id: string; checks?: ChecksSeen }>("AgentChecks", [...types.keys()]);
      const ownOf = (id: string, { total, seen }: ChecksSeen): ChecksSeen => {
        const own = seen.filter(
          ({ kind, assets }) => types.get(id) === "column" || kind === "singular" || assets[0]?.id === id,
        );
        return { total: total - seen.length + own.length, seen: own };
      };
      return new Map(nodes.flatMap(({ id, checks }) => (checks === undefined ? [] : [[id, ownOf(id, checks)]])));
    },
    /** Each walk is made once for a question. @param uses "all" follows a column's joins, filters and conditions too */
    walk(id: string, direction: Way, depth = Infinity, uses: Uses = "direct"): Promise<Walked> {
      const make = () => walkFar(id, direction, depth, uses);
      return walks.getOrInsertComputed(`${id} ${direction} ${depth} ${uses}`, make);
    },
    /** A metric or table is deprecated where its columns would be dropped. */
    async impact({ id, type }: Pick<Thing, "id" | "type">, change: ChangeType) {
      return (await run("AgentImpact", { id, changeType: changeOf(type, change) })).impact;
    },
    /** @param since a duration before now */
    causes: async (id: string, since: string) => (await run("AgentCauses", { id, since })).causes,
    /** The columns that a metric is computed from, also through other metrics. */
    async sourceColumns(id: string): Promise<string[]> {
      const { metric } = await run("AgentSourceColumns", { id });
      return (metric?.sourceColumns ?? []).flatMap(({ column }) => column?.id ?? []);
    },
    /** The SQL that builds an asset; null if none is known. */
    sql: async (id: string) => (await run("AgentSql", { id })).asset?.sql ?? null,
    trail: async (id: string) => (await run("AgentTrail", { id })).metric?.audit ?? [],
    connectors: async () => ((await run("AgentConnectors")) as Answer<"AgentConnectors", Time>).connectors,
    /** Of tables and models, the most frequent first. */
    schemas: async () => ((await run("AgentSchemas")) as Answer<"AgentSchemas">).assets.facets.schemas,
    /** The values that filters take, the most frequent first. */
    values: async () => ((await run("AgentValues")) as Answer<"AgentValues">).assets.facets,
  };
}

/** The change as it can happen to what has this type. */
export function changeOf(type: NodeType, change: ChangeType): ChangeType {
  return canChange(type, change) ? change : "deprecate";
}
