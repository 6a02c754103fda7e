/**
 * What the agent looks up: operations of `schema/tools/agent.graphql`, run as whoever asks. Every call is counted, so that
 * no question may make more than its share of them.
 */
import type { NodeType } from "../catalog/node-types.ts";
import { canChange, type ChangeType } from "../catalog/impact.ts";
import { MAX_DEPTH } from "../catalog/lineage.ts";
import { createSemaphore } from "../work/semaphore.ts";
import {
  type Affected,
  type CausesSeen,
  type ChecksSeen,
  type ConnectorsSeen,
  type Filter,
  type Listed,
  type Raw,
  type Thing,
  toThing,
  type TrailStep,
  type Walked,
} from "./catalog.ts";

/**
 * Runs an operation of `schema/tools` with the rights of whoever asks.
 * @throws AppError as the operation does
 */
export type RunTool = (operation: string, variables: Readonly<Record<string, unknown>>) => Promise<unknown>;

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

/** What the answers of walks say of themselves. */
interface Coverage {
  truncated: boolean;
  completeness: { complete: boolean };
}
type Covered<Seen> = Omit<Seen, "isComplete" | "isCut"> & Coverage;

type Neighbours = Record<"upstream" | "downstream", number>;

interface Connection {
  items: Raw[];
  total?: number | null;
  pageInfo?: { hasNextPage: boolean; endCursor: string };
}

export function createLookup(runTool: RunTool) {
  let calls = 0;
  const inPlace = createSemaphore(MAX_AT_ONCE);
  const known = new Map<string, Thing>();
  const walks = new Map<string, Promise<Walked>>();
  const searches = new Map<string, Promise<Thing[]>>();

  async function run<Answer>(operation: string, variables: Readonly<Record<string, unknown>>): Promise<Answer> {
    if (++calls > MAX_CALLS) throw new CannotTell(TOO_MANY_CALLS);
    // The operations' own selections; the executor has checked them against the schema.
    return (await inPlace(() => runTool(operation, variables))) as Answer;
  }

  /** What an operation selects of nodes, some at a time; those that are gone are left out. */
  async function runForEach<Selected>(operation: string, ids: readonly string[]): Promise<Selected[]> {
    const all: Selected[] = [];
    for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
      const part = ids.slice(at, at + IDS_AT_ONCE);
      const { nodes } = await run<{ nodes: (Selected | null)[] }>(operation, { ids: part });
      all.push(...nodes.filter((node) => node !== null));
    }
    return all;
  }

  function keep(nodes: readonly Raw[]): Thing[] {
    const things = nodes.map(toThing);
    for (const thing of things) known.set(thing.id, thing);
    return things;
  }

  async function list(operation: string, variables: Record<string, unknown>, limit: number): Promise<Listed> {
    const items: Thing[] = [];
    let after: string | null = null;
    for (;;) {
      const first = Math.max(1, Math.min(PAGE, limit - items.length));
      const { found }: { found: Connection } = await run(operation, { ...variables, first, after });
      items.push(...keep(found.items));
      if (!found.pageInfo?.hasNextPage || items.length >= limit)
        return { items: items.slice(0, limit), total: found.total ?? items.length };
      after = found.pageInfo.endCursor;
    }
  }

  /** Assets, metrics or both, as the types want it. */
  async function listBoth({ types, ...filter }: Filter & { search?: string }, limit: number, kind: "List" | "Search") {
    const others = types?.filter((type) => type !== "metric");
    const none: Listed = { items: [], total: 0 };
    const [assets, metrics] = await Promise.all([
      others?.length === 0 ? none : list(`Agent${kind}Assets`, { types: others ?? null, ...filter }, limit),
      types?.includes("metric") === false ? none : list(`Agent${kind}Metrics`, filter, limit),
    ]);
    return { items: [...assets.items, ...metrics.items], total: assets.total + metrics.total };
  }

  async function walkOnce(
    id: string,
    direction: "upstream" | "downstream",
    depth: number,
    uses: "all" | "direct" = "direct",
  ): Promise<Walked> {
    const variables = { id, direction, depth: Math.min(depth, MAX_DEPTH), uses };
    const { lineage } = await run<{ lineage: Covered<Walked> | null }>("AgentWalk", variables);
    if (lineage === null) return { nodes: [], edges: [], isCut: false, isComplete: true };
    return { ...lineage, isCut: lineage.truncated, isComplete: lineage.completeness.complete };
  }

  /** Goes on from where one walk ends, since a walk has a bound on its hops. */
  async function walkFar(id: string, direction: "upstream" | "downstream", depth: number): Promise<Walked> {
    const first = await walkOnce(id, direction, depth);
    const walked = { ...first, nodes: [...first.nodes], edges: [...first.edges] };
    const seen = new Set([id, ...walked.nodes.map((node) => node.id)]);
    let ends = depth > MAX_DEPTH ? walked.nodes.filter((node) => node.depth === MAX_DEPTH) : [];
    for (let round = 1; ends.length > 0; round++) {
      if (round > MAX_ROUNDS || ends.length > MAX_ENDS) return { ...walked, isCut: true };
      const more = await Promise.all(ends.map((end) => walkOnce(end.id, direction, depth)));
      ends = [];
      for (const { nodes, edges, isCut, isComplete } of more) {
        walked.edges.push(...edges);
        walked.isCut ||= isCut;
        walked.isComplete &&= isComplete;
        for (const node of nodes) {
          if (seen.has(node.id)) continue;
          seen.add(node.id);
          walked.nodes.push({ ...node, depth: node.depth + round * MAX_DEPTH });
          if (node.depth === MAX_DEPTH) ends.push(node);
        }
      }
    }
    return walked;
  }

  return {
    /** The best first. The parts of a question are read again in other ways, with the same words. */
    search(text: string, types: readonly NodeType[], first: number): Promise<Thing[]> {
      return searches.getOrInsertComputed(JSON.stringify([text, types, first]), async () => {
        const { items } = await listBoth({ search: text, types }, first, "Search");
        return items;
      });
    },
    list: (filter: Filter, limit: number): Promise<Listed> => listBoth(filter, limit, "List"),
    /** Those that there are, in the order of the ids. */
    async load(ids: readonly string[]): Promise<Thing[]> {
      const missing = ids.filter((id) => !known.has(id));
      keep(await runForEach<Raw>("AgentLoad", missing));
      return ids.flatMap((id) => known.get(id) ?? []);
    },
    async columns(ids: readonly string[]): Promise<Thing[]> {
      const nodes = await runForEach<{ columns?: Raw[] }>("AgentColumns", ids);
      return nodes.flatMap(({ columns = [] }) => keep(columns));
    },
    async neighbourCounts(ids: readonly string[]) {
      const nodes = await runForEach<{ id: string; lineageSummary: Neighbours }>("AgentNeighbours", ids);
      return new Map(nodes.map(({ id, lineageSummary }) => [id, lineageSummary]));
    },
    async checks(ids: readonly string[]): Promise<Map<string, ChecksSeen>> {
      const nodes = await runForEach<{ id: string; checks?: ChecksSeen }>("AgentChecks", ids);
      return new Map(nodes.flatMap(({ id, checks }) => (checks === undefined ? [] : [[id, checks]])));
    },
    /** Each walk is made once for a question. */
    walk(id: string, direction: "upstream" | "downstream", depth = Infinity): Promise<Walked> {
      return walks.getOrInsertComputed(`${id} ${direction} ${depth}`, () => walkFar(id, direction, depth));
    },
    /** The direct neighbours of a column, by joins, filters and conditions too. */
    walkAllUses: (id: string, direction: "upstream" | "downstream"): Promise<Walked> =>
      walkOnce(id, direction, 1, "all"),
    /** A metric or table is deprecated where its columns would be dropped. */
    async impact({ id, type }: Pick<Thing, "id" | "type">, change: ChangeType): Promise<Affected | null> {
      const variables = { id, changeType: changeOf(type, change) };
      const { impact } = await run<{ impact: Covered<Affected> | null }>("AgentImpact", variables);
      return impact && { ...impact, isComplete: isWhole(impact) };
    },
    /** @param since a duration before now */
    async causes(id: string, since: string): Promise<CausesSeen | null> {
      const { causes } = await run<{ causes: Covered<CausesSeen> | null }>("AgentCauses", { id, since });
      return causes && { ...causes, isComplete: isWhole(causes) };
    },
    /** The columns that a metric is computed from, also through other metrics. */
    async sourceColumns(id: string): Promise<string[]> {
      const { metric } = await run<{ metric: { sourceColumns: { column: { id: string } | null }[] } | null }>(
        "AgentSourceColumns",
        { id },
      );
      return (metric?.sourceColumns ?? []).flatMap(({ column }) => column?.id ?? []);
    },
    async trail(id: string): Promise<TrailStep[]> {
      const { metric } = await run<{ metric: { audit: TrailStep[] } | null }>("AgentTrail", { id });
      return metric?.audit ?? [];
    },
    async connectors(): Promise<ConnectorsSeen> {
      return (await run<{ connectors: ConnectorsSeen }>("AgentConnectors", {})).connectors;
    },
    /** The values that filters take, the most frequent first. */
    async values(): Promise<Record<"owners" | "tags" | "connectors", string[]>> {
      type Facet = { value: string | null }[];
      const { assets } = await run<{ assets: { facets: Record<"owners" | "tags" | "connectors", Facet> } }>(
        "AgentValues",
        {},
      );
      const { owners, tags, connectors } = assets.facets;
      const valuesOf = (facet: Facet): string[] => facet.flatMap(({ value }) => value ?? []);
      return { owners: valuesOf(owners), tags: valuesOf(tags), connectors: valuesOf(connectors) };
    },
  };
}

function isWhole({ truncated, completeness }: Coverage): boolean {
  return completeness.complete && !truncated;
}

/** The change as it can happen to what has this type. */
export function changeOf(type: NodeType, change: ChangeType): ChangeType {
  return canChange(type, change) ? change : "deprecate";
}
