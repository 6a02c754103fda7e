/** `tributary changes`: what changed in the catalog, the newest first. */
import { Argument, Option } from "commander";
import { z } from "zod";

import { CHANGE_ENTRY_KINDS } from "../catalog/changes/change.ts";
import type { Client } from "./client.ts";
import { type CommandBody, parseCount } from "./command.ts";
import { PAGE_SIZE } from "./list-all.ts";
import { getNamedNode } from "./named-node.ts";
import { answersJson, printError, printItems } from "./print.ts";

const DEFAULT_CHANGES = 50;
const MAX_VALUE = 40;

const change = z.looseObject({
  at: z.string(),
  kind: z.string(),
  asset: z.looseObject({ fqn: z.string() }),
  actor: z.string().nullable(),
  sync: z.looseObject({ connector: z.string().nullable() }).nullable(),
  field: z.string().nullable(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  risk: z.string().nullable(),
  details: z.array(z.looseObject({ kind: z.string(), name: z.string() })),
});
type Change = z.output<typeof change>;

const answered = z.object({
  changes: z.object({
    since: z.string().nullable(),
    edges: z.array(z.object({ node: change })),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  }),
});

interface ChangesOptions {
  since?: string;
  until?: string;
  kind?: string[];
  owner?: string;
  tag?: string;
  connector?: string;
  limit: number;
}

export const changesCommand: CommandBody = {
  reach: "catalog",
  arguments: [new Argument("[asset]", "only of this asset or metric: its name, fully qualified name or id")],
  options: [
    new Option("--since <time>", "7d, 12h, a date, or an ISO 8601 time; the whole history if left out"),
    new Option("--until <time>", "the same; now if left out"),
    new Option("--kind <kind...>", "only these kinds").choices(CHANGE_ENTRY_KINDS),
    new Option("--owner <email>", "only of what this owner has"),
    new Option("--tag <tag>", "only of what has this tag"),
    new Option("--connector <name>", "only of what this connector holds"),
    new Option("--limit <n>", "how many").argParser(parseCount).default(DEFAULT_CHANGES),
  ],
  async run(client: Client, named: string | undefined, { limit, kind: kinds, ...options }: ChangesOptions) {
    const about = named === undefined ? undefined : (await getNamedNode(client, named)).id;
    const variables = { ...options, kinds, about, first: Math.min(limit, PAGE_SIZE) };
    const { found, hasMore, since } = await readChanges(client, variables, limit);
    printItems(found, {
      AT: "at",
      CHANGE: ({ kind }) => kind.replaceAll("_", " "),
      ASSET: ({ asset }) => asset.fqn,
      BY: ({ actor, sync }) => actor ?? `sync of ${sync?.connector ?? "a removed connector"}`,
      RISK: "risk",
      WHAT: describe,
    });
    if (answersJson()) return;
    if (options.since !== undefined && since !== null) printError(`Since ${since}.`);
    if (hasMore) printError(`Only the newest ${found.length} are shown. --limit shows more.`);
  },
};

async function readChanges(
  client: Client,
  variables: Record<string, unknown>,
  limit: number,
): Promise<{ found: Change[]; hasMore: boolean; since: string | null }> {
  const found: Change[] = [];
  for (let after: string | null = null; ;) {
    const page: z.output<typeof answered> = await client.ask("ToolGetChanges", { ...variables, after }, answered);
    const { edges, pageInfo, since } = page.changes;
    found.push(...edges.map(({ node }) => node));
    if (!pageInfo.hasNextPage || found.length >= limit) {
      return { found: found.slice(0, limit), hasMore: pageInfo.hasNextPage || found.length > limit, since };
    }
    after = pageInfo.endCursor;
  }
}

/** SQL is too long for a row, so its columns and edges are shown instead. */
function describe({ field, before, after, details }: Change): string {
  const parts = details.map(({ kind, name }) => `${kind.replaceAll("_", " ")} ${name}`);
  if (field === "sql") return parts.join(", ");
  if (before === null && after === null) return "";
  return [`${shorten(before)} → ${shorten(after)}`, ...parts].join(", ");
}

function shorten(value: string | null): string {
  const line = (value ?? "nothing").replaceAll(/\s+/g, " ");
  return line.length > MAX_VALUE ? `${line.slice(0, MAX_VALUE)}…` : line;
}
