/** `tributary search`, `show`, `lineage` and `ask`: what the catalog knows. They ask what agents ask by their tools. */
import { Argument, InvalidArgumentError, Option } from "commander";
import { z } from "zod";

import { CERTIFICATIONS } from "../catalog/asset.ts";
import { DIRECTIONS } from "../catalog/edge.ts";
import { DEFAULT_DEPTH, MAX_DEPTH } from "../catalog/lineage.ts";
import { ASSET_TYPES, NODE_TYPES } from "../catalog/node-types.ts";
import { describeUsage, USAGE_DAYS } from "../catalog/usage.ts";
import { usageRow } from "../tools/schemas.ts";
import type { Client } from "./client.ts";
import { type CommandBody, parseCount } from "./command.ts";
import { PAGE_SIZE } from "./list-all.ts";
import { printLineageDiff } from "./lineage-diff.ts";
import { getNamedNode } from "./named-node.ts";
import { answersJson, printError, printItems, printLine, printResult } from "./print.ts";

const DEFAULT_HITS = 20;
const MAX_DESCRIPTION = 60;

export const ASSET = new Argument("<asset>", "an asset's or metric's name, fully qualified name or id");
const TYPES = new Option("--type <type...>", "only these types").choices(NODE_TYPES);

const owned = { owner: z.string().nullable(), ownerName: z.string().nullable() };
const listed = z.looseObject({
  id: z.string(),
  type: z.string().default("metric"),
  name: z.string(),
  fqn: z.string().optional(),
  certification: z.string(),
  description: z.string().nullable(),
  ...owned,
});
const connection = z.object({ edges: z.array(z.object({ node: listed })), totalCount: z.int().nullable() });
const none: z.output<typeof connection> = { edges: [], totalCount: 0 };

const ownerOf = ({ owner, ownerName }: { owner: string | null; ownerName: string | null }) => owner || ownerName;

interface SearchOptions {
  type?: (typeof NODE_TYPES)[number][];
  owner?: string;
  tag?: string;
  schema?: string;
  connector?: string;
  certification?: (typeof CERTIFICATIONS)[number];
  limit: number;
}

export const searchCommand: CommandBody = {
  reach: "catalog",
  arguments: [
    new Argument("[words...]", "words of names, descriptions, tags and columns; none to list by filters alone"),
  ],
  options: [
    TYPES,
    new Option("--owner <email>", "only of this owner"),
    new Option("--tag <tag>", "only with this tag"),
    new Option("--schema <schema>", "only in this schema, such as shop.marts"),
    new Option("--connector <name>", "only what this connector holds"),
    new Option("--certification <certification>", "only with this certification").choices(CERTIFICATIONS),
    new Option("--limit <n>", `how many of each, 1 to ${PAGE_SIZE}`).argParser(parsePage).default(DEFAULT_HITS),
  ],
  async run(client: Client, words: string[], options: SearchOptions) {
    const { type, limit, schema, connector, owner, tag, certification } = options;
    const variables = { search: words.join(" "), owner, tag, certification, first: limit };
    const types = type?.filter((each) => ASSET_TYPES.some((asset) => asset === each));
    const asked = { ...variables, types, schema, connector };
    const hasAssets = types === undefined || types.length > 0;
    const hasMetrics = schema === undefined && connector === undefined && (type?.includes("metric") ?? true);
    const assets = hasAssets
      ? (await client.ask("ToolSearchAssets", asked, z.object({ assets: connection }))).assets
      : none;
    const metrics = hasMetrics
      ? (await client.ask("ToolListMetrics", variables, z.object({ metrics: connection }))).metrics
      : none;
    const found = [...metrics.edges, ...assets.edges].map(({ node }) => node);
    printItems(found, {
      TYPE: "type",
      ASSET: ({ fqn, name }) => fqn ?? name,
      CERTIFICATION: "certification",
      OWNER: ownerOf,
      DESCRIPTION: ({ description }) => shorten(description),
    });
    const isAll = assets.totalCount !== null && metrics.totalCount !== null;
    const total = (assets.totalCount ?? 0) + (metrics.totalCount ?? 0);
    if (!isAll || total > found.length) {
      printError(`Shown: ${found.length} of ${isAll ? total : "very many"}. --limit shows more, filters show fewer.`);
    }
  },
};

const columns = z.object({
  asset: z.object({
    columns: z.array(
      z.looseObject({ name: z.string(), dataType: z.string().nullable(), description: z.string().nullable() }),
    ),
  }),
});

const shown = z.looseObject({
  id: z.string(),
  type: z.string(),
  fqn: z.string(),
  description: z.string().nullable(),
  tags: z.array(z.string()),
  certification: z.string(),
  certifiedBy: z.string().nullable(),
  ...owned,
  connectors: z.array(z.string()),
  url: z.string().nullable(),
  updatedAt: z.string(),
  lineageSummary: z.object({ upstreamCount: z.int(), downstreamCount: z.int() }),
  dataType: z.string().nullish(),
  usage: usageRow.optional(),
  definition: z.object({ expression: z.string(), grain: z.string().nullable() }).optional(),
});

export const showCommand: CommandBody = {
  reach: "catalog",
  arguments: [ASSET],
  async run(client: Client, named: string) {
    const { id, type } = await getNamedNode(client, named);
    const variables = { ids: [id], names: [], byId: true, byName: false, includeSql: false };
    const { nodes } = await client.ask("ToolGetAssets", variables, z.object({ nodes: z.tuple([shown]) }));
    const [node] = nodes;
    const isTable = type === "table" || type === "model";
    const own = isTable ? (await client.ask("ToolListColumns", { id }, columns)).asset.columns : [];
    if (answersJson()) return printResult("", isTable ? { ...node, columns: own } : node);
    const { upstreamCount, downstreamCount } = node.lineageSummary;
    const facts: Record<string, string | null | undefined> = {
      [node.type]: node.fqn,
      id: node.id,
      description: node.description,
      owner: ownerOf(node),
      tags: node.tags.join(", "),
      certification: node.certification + (node.certifiedBy === null ? "" : ` by ${node.certifiedBy}`),
      "data type": node.dataType,
      definition: node.definition && [node.definition.expression, node.definition.grain].filter(Boolean).join(" by "),
      "held by": node.connectors.join(", "),
      used: node.usage && `by ${describeUsage(node.usage)} in ${USAGE_DAYS} days`,
      page: node.url,
      changed: node.updatedAt,
      lineage: `${upstreamCount} direct sources, ${downstreamCount} direct consumers`,
    };
    for (const [fact, value] of Object.entries(facts)) if (value) printLine(`${fact.padEnd(MAX_FACT)}${value}`);
    if (own.length === 0) return;
    printLine("");
    printItems(own, { COLUMN: "name", TYPE: "dataType", DESCRIPTION: "description" });
  },
};

/** The longest name of a fact, and a gap. */
const MAX_FACT = "certification".length + 2;

const walked = z.object({
  lineage: z.object({
    nodes: z.array(z.object({ depth: z.int(), node: z.looseObject({ type: z.string(), fqn: z.string(), ...owned }) })),
    totalNodes: z.int(),
    deeper: z.boolean(),
    truncated: z.boolean(),
    completeness: z.object({ complete: z.boolean(), gapsTotal: z.int() }),
  }),
});

interface LineageOptions {
  direction: (typeof DIRECTIONS)[number];
  depth: number;
  uses: "direct" | "all";
  type?: string[];
  asOf?: string;
  compareWith?: string;
}

export const lineageCommand: CommandBody = {
  reach: "catalog",
  arguments: [ASSET],
  options: [
    new Option("--direction <direction>", "what it feeds, or what feeds it").choices(DIRECTIONS).default("downstream"),
    new Option("--depth <hops>", `1 to ${MAX_DEPTH}`).argParser(parseDepth).default(DEFAULT_DEPTH),
    new Option("--uses <uses>", "from a column: values alone, or joins and filters too")
      .choices(["direct", "all"])
      .default("direct"),
    TYPES,
    new Option("--as-of <time>", "as it was then: a date (its end in UTC), or an ISO 8601 time"),
    new Option("--compare-with <time>", "what is different from then: 7d, a date (its end), or an ISO 8601 time"),
  ],
  async run(client: Client, named: string, { direction, depth, uses, type, asOf, compareWith }: LineageOptions) {
    const { id } = await getNamedNode(client, named);
    if (compareWith !== undefined) return printLineageDiff(client, { id, direction, depth, compareWith, asOf });
    const { lineage } = await client.ask("ToolWalkLineage", { id, direction, depth, uses, asOf }, walked);
    const found = lineage.nodes
      .filter(({ node }) => type === undefined || type.includes(node.type))
      .map(({ depth: hops, node }) => Object.assign(node, { hops }));
    printItems(found, { HOPS: "hops", TYPE: "type", ASSET: "fqn", OWNER: ownerOf });
    if (lineage.truncated) printError(`Only the nearest of ${lineage.totalNodes} are looked at.`);
    if (lineage.deeper) printError(`There is more behind ${depth} hops; --depth goes up to ${MAX_DEPTH}.`);
    const { complete, gapsTotal } = lineage.completeness;
    if (!complete) printError(`Lineage may be missing${gapsTotal === 0 ? "" : ` in ${gapsTotal} of these assets`}.`);
  },
};

const answered = z.object({
  ask: z.object({
    answer: z.string(),
    readAs: z.string().nullable(),
    confidence: z.number(),
    note: z.string().nullable(),
    citations: z.array(z.object({ assetId: z.string(), assetName: z.string(), snippet: z.string() })),
  }),
});

export const askCommand: CommandBody = {
  reach: "catalog",
  arguments: [new Argument("<question...>", "in English")],
  async run(client: Client, words: string[]) {
    const { ask } = await client.ask("ToolAsk", { query: words.join(" "), context: null }, answered);
    printResult(ask.answer, ask);
    if (ask.note) printError(ask.note);
  },
};

function shorten(text: string | null): string {
  const [line = ""] = (text ?? "").split("\n");
  return line.length > MAX_DESCRIPTION ? `${line.slice(0, MAX_DESCRIPTION - 1)}…` : line;
}

function parsePage(text: string): number {
  const count = parseCount(text);
  if (count > PAGE_SIZE) throw new InvalidArgumentError(`It must be at most ${PAGE_SIZE}.`);
  return count;
}

function parseDepth(text: string): number {
  const depth = parseCount(text);
  if (depth > MAX_DEPTH) throw new InvalidArgumentError(`It must be at most ${MAX_DEPTH}.`);
  return depth;
}
