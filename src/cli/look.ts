/** `tributary search`, `show`, `lineage` and `ask`: what the catalog knows. They ask what agents ask by their tools. */
import { Argument, InvalidArgumentError, Option } from "commander";

import { CERTIFICATIONS } from "../catalog/asset.ts";
import { DIRECTIONS } from "../catalog/edge.ts";
import { DEFAULT_DEPTH, MAX_DEPTH } from "../catalog/lineage.ts";
import { NODE_ORDERS, type NodeOrder } from "../catalog/node-order.ts";
import { ASSET_TYPES, NODE_TYPES } from "../catalog/node-types.ts";
import { describeUsage, USAGE_DAYS } from "../catalog/usage.ts";
import { notFound } from "../errors.ts";
import { labelsOf } from "./asset-labels.ts";
import type { Client } from "./client.ts";
import { type CommandBody, parseCount } from "./command.ts";
import { PAGE_SIZE } from "./list-all.ts";
import { printLineageDiff } from "./lineage-diff.ts";
import { getNamedNode, getNodeNamedThen } from "./named-node.ts";
import { answersJson, printError, printGaps, printItems, printLine, printResult } from "./print.ts";

const DEFAULT_HITS = 20;
const MAX_DESCRIPTION = 60;

export const ASSET = new Argument("<asset>", "an asset's or metric's name, fully qualified name or id");
const TYPES = new Option("--type <type...>", "only these types").choices(NODE_TYPES);

const NONE = { edges: [], totalCount: 0 };

const ownerOf = ({ owner, ownerName }: { owner: string | null; ownerName: string | null }) => owner || ownerName;

interface SearchOptions {
  type?: (typeof NODE_TYPES)[number][];
  owner?: string;
  tag?: string;
  schema?: string;
  connector?: string;
  certification?: (typeof CERTIFICATIONS)[number];
  sort?: NodeOrder;
  limit: number;
}

export const searchCommand: CommandBody = {
  reach: "catalog",
  arguments: [
    new Argument("[words...]", "words of names, descriptions, tags and columns; none to list by filters alone"),
  ],
  options: [
    TYPES,
    new Option("--owner <email|none>", "only of this owner; none: without an owner"),
    new Option("--tag <tag>", "only with this tag"),
    new Option("--schema <schema>", "only in this schema, such as shop.marts"),
    new Option("--connector <name>", "only what this connector holds"),
    new Option("--certification <certification>", "only with this certification").choices(CERTIFICATIONS),
    new Option("--sort <order>", "assets, then metrics, each in this order; without columns").choices(NODE_ORDERS),
    new Option("--limit <n>", `how many in all, 1 to ${PAGE_SIZE}`).argParser(upTo(PAGE_SIZE)).default(DEFAULT_HITS),
  ],
  async run(client: Client, words: string[], options: SearchOptions) {
    const { type, limit, schema, connector, tag, certification, sort } = options;
    const owner = options.owner === "none" ? null : options.owner;
    const variables = {
      search: words.join(" "),
      owner,
      tag,
      certification,
      orderBy: sort,
      first: limit,
      withMatch: true,
    };
    const types = type?.filter((each) => ASSET_TYPES.some((asset) => asset === each));
    const asked = { ...variables, types, schema, connector, withUsage: sort === "usage" };
    const hasAssets = types === undefined || types.length > 0;
    const hasMetrics = schema === undefined && connector === undefined && (type?.includes("metric") ?? true);
    const assets = hasAssets ? (await client.ask("ToolSearchAssets", asked)).assets : NONE;
    const allMetrics = hasMetrics ? (await client.ask("ToolListMetrics", variables)).metrics : NONE;
    // Metrics that have only some of the words are left out if assets have all of them.
    const isPartial = allMetrics.edges[0]?.matched?.isComplete === false;
    const metrics = isPartial && assets.edges[0]?.matched?.isComplete ? NONE : allMetrics;
    // Each gets half of the limit, and what the other one leaves.
    const half = Math.ceil(limit / 2);
    const ofMetrics = metrics.edges
      .slice(0, Math.max(half, limit - assets.edges.length))
      .map(({ node }) => Object.assign(node, { type: "metric" }));
    const ofAssets = assets.edges.map(({ node }) => node);
    const found = (sort === undefined ? [...ofMetrics, ...ofAssets] : [...ofAssets, ...ofMetrics]).slice(0, limit);
    printItems(
      found,
      {
        TYPE: "type",
        ASSET: labelsOf(found),
        CERTIFICATION: "certification",
        OWNER: ownerOf,
        ...(sort === "usage" ? { USED: (node) => ("usage" in node ? describeUsage(node.usage ?? null) : "") } : {}),
        DESCRIPTION: ({ description }) => shorten(description),
      },
      "Nothing was found. Use fewer words or filters, or sync a connector first.",
    );
    const isAll = assets.totalCount !== null && metrics.totalCount !== null;
    const total = (assets.totalCount ?? 0) + (metrics.totalCount ?? 0);
    if (!isAll || total > found.length) {
      printError(`Shown: ${found.length} of ${isAll ? total : "very many"}. --limit shows more, filters show fewer.`);
    }
  },
};

export const showCommand: CommandBody = {
  reach: "catalog",
  arguments: [ASSET],
  async run(client: Client, named: string) {
    const { id, type } = await getNamedNode(client, named);
    const variables = { ids: [id], names: [], byId: true, byName: false, includeSql: false };
    const { nodes } = await client.ask("ToolGetAssets", variables);
    const [node] = nodes ?? [];
    if (!node || !("fqn" in node)) throw notFound("asset", id);
    const isTable = type === "table" || type === "model";
    const own = isTable ? (await client.ask("ToolListColumns", { id })).asset.columns : [];
    const meta = type === "pipeline" ? (await client.ask("PipelineMeta", { id })).asset.meta : null;
    if (answersJson()) return printResult("", isTable ? { ...node, columns: own } : { ...node, ...(meta && { meta }) });
    const { upstreamCount, downstreamCount } = node.lineageSummary;
    const facts: Record<string, string | null | undefined> = {
      [node.type]: labelsOf([node])(node),
      id: node.id,
      description: node.description,
      owner: ownerOf(node),
      tags: node.tags.join(", "),
      certification: node.certification + (node.certifiedBy === null ? "" : ` by ${node.certifiedBy}`),
      "data type": "dataType" in node ? node.dataType : null,
      definition:
        "definition" in node ? [node.definition.expression, node.definition.grain].filter(Boolean).join(" by ") : null,
      "held by": node.connectors.join(", "),
      used: "usage" in node && node.usage !== null ? `by ${describeUsage(node.usage)} in ${USAGE_DAYS} days` : null,
      "last run": meta && "last_run_state" in meta ? String(meta.last_run_state) : null,
      page: node.url,
      changed: node.updatedAt,
      lineage: `${upstreamCount} direct sources, ${downstreamCount} direct consumers`,
    };
    for (const [fact, value] of Object.entries(facts)) if (value) printLine(`${fact.padEnd(MAX_FACT)}${value}`);
    if (own.length === 0) return;
    printLine("");
    const nameOf = ({ name, inferred }: (typeof own)[number]) => (inferred ? `${name} (inferred)` : name);
    printItems(own, { COLUMN: nameOf, TYPE: "dataType", DESCRIPTION: "description" }, "No columns.");
  },
};

/** The longest name of a fact, and a gap. */
const MAX_FACT = "certification".length + 2;

interface LineageOptions {
  direction: (typeof DIRECTIONS)[number];
  depth?: number;
  uses: "direct" | "all";
  type?: string[];
  asOf?: string;
  compareWith?: string;
  savedImpact?: string;
}

export const lineageCommand: CommandBody = {
  reach: "catalog",
  arguments: [ASSET],
  options: [
    new Option("--direction <direction>", "what it feeds, or what feeds it").choices(DIRECTIONS).default("downstream"),
    new Option(
      "--depth <hops>",
      `1 to ${MAX_DEPTH}; ${DEFAULT_DEPTH} if left out, or ${MAX_DEPTH} with --type`,
    ).argParser(upTo(MAX_DEPTH)),
    new Option("--uses <uses>", "from a column: values alone, or joins and filters too")
      .choices(["direct", "all"])
      .default("direct"),
    TYPES,
    new Option("--as-of <time>", "as it was then: a date (its end in UTC), or an ISO 8601 time"),
    new Option("--compare-with <time>", "what is different from then: 7d, a date (its end), or an ISO 8601 time"),
    new Option(
      "--saved-impact <id>",
      "what the manifest of a saved impact would make different; the id ends its link",
    ).conflicts("compareWith"),
  ],
  async run(client: Client, named: string, options: LineageOptions) {
    const { direction, uses, type, asOf, compareWith, savedImpact } = options;
    const depth = options.depth ?? (type === undefined ? DEFAULT_DEPTH : MAX_DEPTH);
    const { id, type: rootType } = await getNodeNamedThen(client, named, asOf);
    if (compareWith !== undefined || savedImpact !== undefined)
      return printLineageDiff(client, { id, direction, depth, compareWith, savedImpact, asOf });
    const { lineage } = await client.ask("ToolWalkLineage", { id, direction, depth, uses, asOf });
    const found = lineage.nodes
      .filter(({ node }) => type === undefined || type.includes(node.type))
      .map(({ depth: hops, node }) => Object.assign(node, { hops }));
    printItems(
      found,
      { HOPS: "hops", TYPE: "type", ASSET: labelsOf(found), OWNER: ownerOf },
      rootType === "column"
        ? "Nothing was found. A walk from a column misses what reads its whole table: `tributary impact` tells all that depends on it."
        : `Nothing was found. --direction takes the other way, and ${type === undefined ? "--uses all" : "fewer types"} may find more.`,
    );
    if (lineage.truncated) printError(`Only the nearest of ${lineage.totalNodes} are looked at.`);
    if (lineage.deeper)
      printError(`There is more behind ${depth === 1 ? "1 hop" : `${depth} hops`}; --depth goes up to ${MAX_DEPTH}.`);
    printGaps(lineage.completeness);
  },
};

export const askCommand: CommandBody = {
  reach: "catalog",
  arguments: [new Argument("<question...>", "in English")],
  async run(client: Client, words: string[]) {
    const { ask } = await client.ask("ToolAsk", { query: words.join(" "), context: null });
    printResult(ask.answer, ask);
    if (ask.note) printError(ask.note);
  },
};

function shorten(text: string | null): string {
  const [line = ""] = (text ?? "").split("\n");
  return line.length > MAX_DESCRIPTION ? `${line.slice(0, MAX_DESCRIPTION - 1)}…` : line;
}

function upTo(most: number): (text: string) => number {
  return (text) => {
    const count = parseCount(text);
    if (count > most) throw new InvalidArgumentError(`It must be at most ${most}.`);
    return count;
  };
}
