/** `tributary why`: why the value of an asset may have changed. */
import { Option } from "commander";

import type { Client } from "./client.ts";
import { type CommandBody, parseCount } from "./command.ts";
import { PAGE_SIZE } from "./list-all.ts";
import { ASSET } from "./look.ts";
import { getNamedNode } from "./named-node.ts";
import type { Answer } from "./operations.ts";
import { answersJson, printError, printGaps, printLine, printResult, printTable } from "./print.ts";

const DEFAULT_SHOWN = 20;

type Causes = Answer<"ToolFindCauses">["causes"];
type Cause = Causes["edges"][number]["node"];

interface WhyOptions {
  since?: string;
  until?: string;
  limit: number;
  all?: boolean;
}

export const whyCommand: CommandBody = {
  reach: "catalog",
  arguments: [ASSET],
  options: [
    new Option("--since <time>", "7d, 12h, a date, or an ISO 8601 time; 7 days ago if left out"),
    new Option("--until <time>", "the same; now if left out"),
    new Option("--limit <n>", `how many, 1 to ${PAGE_SIZE}`).argParser(parseCount).default(DEFAULT_SHOWN),
    new Option("--all", "also list the changes that cannot have changed it, at most 100"),
  ],
  async run(client: Client, named: string, { since, until, limit, all = false }: WhyOptions) {
    const { id } = await getNamedNode(client, named);
    const { causes } = await client.ask("ToolFindCauses", {
      id,
      since,
      until,
      first: limit,
      withOthers: all,
    });
    if (answersJson()) {
      const { edges, totalCount: total, ...rest } = causes;
      return printResult("", { ...rest, total, items: edges.map((edge) => edge.node) });
    }
    printCauses(causes);
  },
};

function printCauses({ target, since, until, edges, totalCount, ...causes }: Causes): void {
  const found = totalCount === 0 ? "Nothing upstream" : totalCount === 1 ? "1 change" : `${totalCount} changes`;
  printLine(`${found} between ${since} and ${until} can have changed ${target.fqn}.`);
  for (const { node: cause } of edges) printCause(cause);
  const { others, otherChanges, troubledSyncs, truncated, completeness } = causes;
  printLine("");
  if (others > 0) printLine(`${others} other ${others === 1 ? "change" : "changes"} upstream cannot have changed it.`);
  if (otherChanges !== undefined && otherChanges.length > 0) {
    printTable(
      ["AT", "ASSET", "BY"],
      otherChanges.map(({ at, node: changed, ...by }) => [at, changed.fqn, whoOf(by)]),
    );
    if (otherChanges.length < others) printError(`Shown: the latest ${otherChanges.length} of ${others}.`);
  }
  for (const { sync, connector: of, reason } of troubledSyncs) {
    const why = reason === "" ? "" : `: ${reason}`;
    printLine(`The sync of ${of?.name ?? "a connector"} at ${sync.completedAt} ${wordOf(sync.status)}${why}`);
  }
  if (edges.length < totalCount) printError(`Shown: ${edges.length} of ${totalCount}. --limit shows more.`);
  if (truncated) printError("So much changed that what was changed and taken back may be missing.");
  printGaps(completeness);
}

function printCause({ sentence, details, evidence, at, actor, connector: of, sync, path }: Cause): void {
  const who = whoOf({ actor, connector: of });
  printLine("");
  printLine(sentence.charAt(0).toUpperCase() + sentence.slice(1));
  for (const detail of details) printLine(`  ${detail}`);
  printLine(`  ${at} by ${who}${sync === null ? "" : ` (${sync.id})`}, ${evidence}`);
  printLine(`  ${path.map(({ name }) => name).join(" <- ")}`);
}

function whoOf({ actor, connector: of }: Pick<Cause, "actor" | "connector">): string {
  return actor ?? (of === null ? "a connector that is gone" : `sync of ${of.name}`);
}

function wordOf(status: string): string {
  return status === "completed" ? "ended with an error" : status === "failed" ? "failed" : "was cancelled";
}
