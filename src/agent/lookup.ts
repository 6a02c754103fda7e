/**
 * What the agent looks up: operations of `schema/tools/agent.graphql`, run as whoever asks. Every call is counted, so that
 * no question may make more than its share of them.
 */
import type { NodeType } from "../catalog/node-types.ts";
import { canChange, type ChangeType } from "../catalog/impact.ts";
import { MAX_DEPTH } from "../catalog/lineage.ts";
import { createSemaphore } from "../work/semaphore.ts";
import type {
  Affected,
  CausesSeen,
  CheckSeen,
  ConnectorSeen,
  Filter,
  Listed,
  Thing,
  TrailStep,
  Walked,
} from "./catalog.ts";
import { type Answer, type Raw, toThing, toTime, withTimes } from "./tool-answers.ts";

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

export function createLookup(runTool: RunTool) {
  let calls = 0;
  const inPlace = createSemaphore(MAX_AT_ONCE);
  const known = new Map<string, Thing>();
  const walks = new Map<string, Promise<Walked>>();
  const searches = new Map<string, Promise<Thing[]>>();

  async function run(operation: string, variables: Readonly<Record<string, unknown>>): Promise<Answer> {
    if (++calls > MAX_CALLS) throw new CannotTell(TOO_MANY_CALLS);
    // The operations' own selections; the executor has checked them against the schema.
    return (await inPlace(() => runTool(operation, variables))) as Answer;
  }

  function keep(nodes: readonly (Raw | null)[]): Thing[] {
    const things = nodes.flatMap((node) => (node === null ? [] : [toThing(node)]));
    for (const thing of things) known.set(thing.id, thing);
    return things;
  }

  async function page(operation: string, variables: Record<string, unknown>, limit: number): Promise<Listed> {
    const items: Thing[] = [];
    let after: string | null = null;
    for (;;) {
      const first = Math.max(1, Math.min(PAGE, limit - items.length));
      const data: Answer = await run(operation, { ...variables, first, after });
      const { nodes = [], totalCount, pageInfo } = data["assets"] ?? data["metrics"] ?? {};
      items.push(...keep(nodes));
      if (!pageInfo?.hasNextPage || items.length >= limit)
        return { items: items.slice(0, limit), total: totalCount ?? items.length };
      after = pageInfo.endCursor;
    }
  }

  async function walkOnce(
    id: string,
    direction: "upstream" | "downstream",
    depth: number,
    uses: "all" | "direct" = "direct",
  ): Promise<Walked> {
    const { lineage } = await run("AgentWalk", { id, direction, depth: Math.min(depth, MAX_DEPTH), uses });
    if (!lineage) return { nodes: [], edges: [], isCut: false, isComplete: true };
    const { nodes, edges, truncated, completeness } = lineage;
    return { nodes, edges, isCut: truncated, isComplete: completeness.complete };
  }

  async function searchOnce(text: string, types: readonly NodeType[], first: number): Promise<Thing[]> {
    const ask = async (operation: string, variables: object): Promise<Listed> => {
      const data = await run(operation, { search: text, first, ...variables });
      const items = keep((data["assets"] ?? data["metrics"])?.nodes ?? []);
      return { items, total: items.length };
    };
    const found = await both(
      types,
      (others) => ask("AgentSearchAssets", { types: others }),
      () => ask("AgentSearchMetrics", {}),
    );
    return found.items;
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
    callsMade: () => calls,
    /** The best first. The parts of a question are read again in other ways, with the same words. */
    search(text: string, types: readonly NodeType[], first: number): Promise<Thing[]> {
      return searches.getOrInsertComputed(JSON.stringify([text, types, first]), () => searchOnce(text, types, first));
    },
    list: ({ types, ...filter }: Filter, limit: number): Promise<Listed> =>
      both(
        types,
        (others) => page("AgentListAssets", { types: others, ...filter }, limit),
        () =>
          filter.connector === undefined
            ? page("AgentListMetrics", filter, limit)
            : // Metrics have no filter for it: those that there are, are looked through.
              page("AgentListMetrics", { ...filter, connector: undefined }, limit).then(({ items }) => {
                const own = items.filter(({ connectors }) => connectors.includes(filter.connector ?? ""));
                if (items.length >= limit) throw new CannotTell(TOO_MANY_CALLS);
                return { items: own, total: own.length };
              }),
      ),
    /** Those that there are, in the order of the ids. */
    async load(ids: readonly string[]): Promise<Thing[]> {
      const missing = ids.filter((id) => !known.has(id));
      await inParts(missing, async (part) => keep((await run("AgentLoad", { ids: part })).nodes ?? []));
      return ids.flatMap((id) => known.get(id) ?? []);
    },
    async columns(ids: readonly string[]): Promise<Thing[]> {
      return inParts(ids, async (part) => {
        const { nodes = [] } = await run("AgentColumns", { ids: part });
        return nodes.flatMap((node) => keep(node?.columns ?? []));
      });
    },
    async neighbourCounts(ids: readonly string[]): Promise<Map<string, { upstream: number; downstream: number }>> {
      const found = await inParts(ids, async (part) => (await run("AgentNeighbours", { ids: part })).nodes ?? []);
      return new Map(found.flatMap((node) => (node?.lineageSummary ? [[node.id, node.lineageSummary]] : [])));
    },
    async checks(ids: readonly string[]): Promise<Map<string, { total: number; seen: CheckSeen[] }>> {
      const found = await inParts(ids, async (part) => (await run("AgentChecks", { ids: part })).nodes ?? []);
      return new Map(
        found.flatMap((node) =>
          node?.checks ? [[node.id, { total: node.checks.totalCount, seen: node.checks.nodes }]] : [],
        ),
      );
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
      const { impact } = await run("AgentImpact", { id, changeType: changeOf(type, change) });
      return impact ? { ...impact, isComplete: impact.completeness.complete && !impact.truncated } : null;
    },
    /** @param since a duration before now */
    async causes(id: string, since: string): Promise<CausesSeen | null> {
      const { causes } = await run("AgentCauses", { id, since });
      return causes
        ? {
            ...causes,
            nodes: causes.nodes.map((cause) => Object.assign({}, cause, { at: toTime(cause.at) ?? "" })),
            since: toTime(causes.since) ?? "",
            isComplete: causes.completeness.complete && !causes.truncated,
          }
        : null;
    },
    /** The columns that a metric is computed from, also through other metrics. */
    async sourceColumns(id: string): Promise<string[]> {
      const { metric } = await run("AgentSourceColumns", { id });
      return (metric?.sourceColumns ?? []).flatMap(({ column }) => column?.id ?? []);
    },
    async trail(id: string): Promise<TrailStep[]> {
      const { metric } = await run("AgentTrail", { id });
      return (metric?.audit ?? []).map((step) => Object.assign({}, step, { at: toTime(step.at) ?? "" }));
    },
    async connectors(): Promise<{ items: ConnectorSeen[]; total: number }> {
      const { connectors } = await run("AgentConnectors", {});
      const items = (connectors?.nodes ?? []).map(withTimes);
      return { items, total: connectors?.totalCount ?? 0 };
    },
    /** The values that filters take, the most frequent first. */
    async values(): Promise<{ owners: string[]; tags: string[]; connectors: string[] }> {
      const { assets } = await run("AgentValues", {});
      return {
        owners: valuesOf(assets?.facets?.owners),
        tags: valuesOf(assets?.facets?.tags),
        connectors: valuesOf(assets?.facets?.connectors),
      };
    },
  };
}

/** Asks assets, metrics or both, as the types want it. */
async function both(
  types: readonly NodeType[] | undefined,
  ask: (types: NodeType[] | null) => Promise<Listed>,
  askMetrics: () => Promise<Listed>,
): Promise<Listed> {
  const others = types?.filter((type) => type !== "metric");
  const found = await Promise.all([
    others === undefined || others.length > 0 ? ask(others ?? null) : { items: [], total: 0 },
    types === undefined || types.includes("metric") ? askMetrics() : { items: [], total: 0 },
  ]);
  return { items: found.flatMap(({ items }) => items), total: found.reduce((sum, { total }) => sum + total, 0) };
}

/** Asks for many ids, some at a time. */
async function inParts<T>(
  ids: readonly string[],
  ask: (part: readonly string[]) => Promise<readonly T[]>,
): Promise<T[]> {
  const all: T[] = [];
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) all.push(...(await ask(ids.slice(at, at + IDS_AT_ONCE))));
  return all;
}

function valuesOf(facet: readonly { value: string | null }[] = []): string[] {
  return facet.flatMap(({ value }) => value ?? []);
}

/** The change as it can happen to what has this type. */
export function changeOf(type: NodeType, change: ChangeType): ChangeType {
  return canChange(type, change) ? change : "deprecate";
}
