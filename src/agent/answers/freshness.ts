/** How fresh is X, and how did the last sync go. */
import type { CatalogNode } from "../../catalog/asset.ts";
import { connectorHealth, isFinished } from "../../metadata/connector-health.ts";
import type { Sync, SyncError } from "../../metadata/records.ts";
import type { Fact } from "../answer.ts";
import type { ConnectorRun } from "../catalog.ts";
import { triggerSync, viewNode } from "./actions.ts";
import { type Answerer, valueOf } from "./ask.ts";
import { cite, count, minute, named, quote, tick } from "./words.ts";

const MAX_CONNECTORS = 5;

function sayFreshness(node: CatalogNode): Fact {
  const text = `What the catalog shows of ${named(node)} last changed at ${minute(node.updatedAt)}. When its data last changed is not in the catalog.`;
  return { text, about: [cite(node, `${node.fqn}: updated ${node.updatedAt}, from ${node.connectors.join(", ")}`)] };
}

function isError({ severity }: SyncError): boolean {
  return severity === "error";
}

/** Errors are kept before warnings: there are more of them than are kept only where all that is kept are errors. */
function countFaults({ errors, errorsTotal }: Sync): string {
  const kept = errors.filter(isError).length;
  if (kept === errors.length && kept < errorsTotal) {
    return `at least ${count(kept, "error")}, and ${errorsTotal.toLocaleString("en-US")} errors and warnings in all`;
  }
  const warnings = errorsTotal - kept;
  const told = kept === 0 ? "no errors" : count(kept, "error");
  return warnings === 0 ? told : `${told} and ${count(warnings, "warning")}`;
}

function sayRun({ connector, lastSync }: ConnectorRun, about: readonly CatalogNode[]): Fact {
  const name = `The connector ${tick(connector.name)}`;
  const cites = about.map((node) => cite(node, `${node.fqn}: known from the connector ${connector.name}`));
  if (lastSync === null) return { text: `${name} has never been synced.`, about: cites };
  const { status, queuedAt, startedAt, completedAt, mode, errors, assetsDiscovered, assetsUpdated } = lastSync;
  const when = minute(completedAt ?? startedAt ?? queuedAt);
  const went =
    status === "completed"
      ? `completed at ${when} with ${countFaults(lastSync)}: it saw ${count(assetsDiscovered, "asset")} and changed ${assetsUpdated.toLocaleString("en-US")}`
      : `${status === "failed" ? "failed" : `is ${status}`}, as of ${when}, with ${countFaults(lastSync)}`;
  const first = errors.find(isError) ?? errors[0];
  const because = first === undefined ? "" : ` The first: ${quote(first.message)}.`;
  const health = isFinished(lastSync) ? ` It is ${connectorHealth(connector, lastSync)}.` : "";
  return { text: `${name}: the last sync, ${mode}, ${went}.${health}${because}`, about: cites };
}

export const answerFreshness: Answerer = async ({ subjects, question, catalog }) => {
  const { items: runs, hasMore } = await catalog.connectors();
  const asked = valueOf(question, "connector");
  const [node] = subjects;
  const wanted = runs.filter(({ connector: { name } }) =>
    asked === undefined ? node === undefined || node.connectors.includes(name) : name === asked,
  );
  if (wanted.length === 0 && node === undefined) return null;
  const shown = wanted.slice(0, MAX_CONNECTORS);
  const asksWhen = /\b(?:schedule|scheduled|itself|automatic|automatically|often|every)\b/.test(question.template);
  const facts: Fact[] = [
    ...(node === undefined ? [] : [sayFreshness(node)]),
    ...shown.map((run) => sayRun(run, node === undefined ? [] : [node])),
  ];
  if (asksWhen)
    facts.push({
      text: "Whether a connector runs by a schedule is not in the catalog: it knows the syncs that were run.",
      about: [],
    });
  if (wanted.length > shown.length) {
    const left = `${hasMore ? "at least " : ""}${count(wanted.length - shown.length, "more connector")}`;
    facts.push({ text: `There ${wanted.length - shown.length === 1 ? "is" : "are"} ${left}.`, about: [] });
  }
  const actions = shown.map(({ connector }) => triggerSync(connector.id));
  return { facts, actions: node === undefined ? actions : [viewNode(node), ...actions] };
};
