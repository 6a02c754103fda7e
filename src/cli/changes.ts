/** `tributary changes`: what changed in the catalog, the newest first. */
import { Argument, Option } from "commander";

import { CHANGE_ENTRY_KINDS } from "../catalog/changes/change.ts";
import { fold } from "../catalog/text.ts";
import { AppError } from "../errors.ts";
import { labelsOf } from "./asset-labels.ts";
import type { Client } from "./client.ts";
import { type CommandBody, parseCount } from "./command.ts";
import { PAGE_SIZE } from "./list-all.ts";
import { getNamedNode } from "./named-node.ts";
import type { Answer } from "./operations.ts";
import { answersJson, printError, printItems } from "./print.ts";

const DEFAULT_CHANGES = 50;
const MAX_VALUE = 40;
/** How many of the newest removals are looked through for a name. */
const MAX_REMOVED = 2_000;

type Changes = Answer<"ToolGetChanges">["changes"];
type Change = Changes["edges"][number]["node"];

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
    const about = named === undefined ? undefined : await findAbout(client, named);
    const variables = { ...options, kinds, about, first: Math.min(limit, PAGE_SIZE) };
    const { found, hasMore, since } = await readChanges(client, variables, limit);
    const labelOf = labelsOf(found.map(({ asset }) => asset));
    printItems(
      found,
      {
        AT: "at",
        CHANGE: ({ kind }) => kind.replaceAll("_", " "),
        ASSET: ({ asset }) => labelOf(asset),
        BY: ({ actor, sync }) => actor ?? `sync of ${sync?.connector ?? "a removed connector"}`,
        RISK: "risk",
        WHAT: describe,
      },
      "No changes. Ask about a longer time with --since, or leave out a filter.",
    );
    if (answersJson()) return;
    if (options.since !== undefined && since !== null) printError(`Since ${since}.`);
    if (hasMore) printError(`Only the newest ${found.length} are shown. --limit shows more.`);
  },
};

/**
 * What is gone has a history too: it is found by its id, or among the newest removals by its fully qualified name.
 * @throws AppError of `getNamedNode` if nothing there is called that
 */
async function findAbout(client: Client, named: string): Promise<string> {
  try {
    return (await getNamedNode(client, named)).id;
  } catch (error) {
    if (!(error instanceof AppError && error.code === "not_found")) throw error;
    const { found: own } = await readChanges(client, { about: named, first: 1 }, 1);
    if (own.length > 0) return named;
    const kinds = ["asset_removed", "column_removed"];
    const { found } = await readChanges(client, { kinds, first: PAGE_SIZE }, MAX_REMOVED);
    const gone = found.find(({ asset: { fqn } }) => fold(fqn) === fold(named));
    if (gone === undefined) throw error;
    return gone.asset.id;
  }
}

async function readChanges(
  client: Client,
  variables: Record<string, unknown>,
  limit: number,
): Promise<{ found: Change[]; hasMore: boolean; since: string | null }> {
  const found: Change[] = [];
  for (let after: string | null = null; ;) {
    const page: Answer<"ToolGetChanges"> = await client.ask("ToolGetChanges", { ...variables, after });
    const { edges, pageInfo, since } = page.changes;
    found.push(...edges.map(({ node }) => node));
    if (!pageInfo.hasNextPage || found.length >= limit) {
      return { found: found.slice(0, limit), hasMore: pageInfo.hasNextPage || found.length > limit, since };
    }
    after = pageInfo.endCursor;
  }
}

/** SQL is too long for a row, so its columns and edges are shown instead. */
function describe({ field, before, after, check, cause, details }: Change): string {
  if (check !== null) return cause === null ? check : `${check}: ${shorten(cause)}`;
  const parts = details.map(({ kind, name }) => `${kind.replaceAll("_", " ")} ${name}`);
  if (field === "sql") return parts.join(", ");
  if (before === null && after === null) return "";
  return [`${shorten(before)} → ${shorten(after)}`, ...parts].join(", ");
}

function shorten(value: string | null): string {
  const line = (value ?? "nothing").replaceAll(/\s+/g, " ");
  return line.length > MAX_VALUE ? `${line.slice(0, MAX_VALUE)}…` : line;
}
