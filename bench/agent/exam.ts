/**
 * Counts the exam questions that the agent answers correctly without a language model. Usage: node bench/agent/exam.ts
 * [projects, default ../shared/data/dbt] [--verbose] [--answers file] Prints the share of correct answers by project
 * and class, how reliable `confidence` is, and every wrong answer with what was missing. `README.md` explains how the
 * exam was made.
 */
import { mkdtempDisposable, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { z } from "zod";

import { createApp } from "../../src/app.ts";
import { createApiKey } from "../../src/auth/api-keys.ts";
import { fromCommandLine } from "../../src/auth/origin.ts";
import { setRateLimit } from "../../src/auth/security-settings.ts";
import { toNodeId } from "../../src/ids.ts";
import { parseSettings } from "../../src/settings/settings.ts";
import { loadSample } from "../../src/cli/start/sample.ts";
import { getDefaultWorkspace, getFirstAdmin } from "../../src/cli/start/workspace.ts";
import { type Answer, faultsOf, isDeclined, type Item, itemSchema } from "./grade.ts";

const SURE = 0.8;
const EXAM = new URL("./exam/", import.meta.url);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { verbose: { type: "boolean", default: false }, answers: { type: "string" } },
});
const [projects = "../shared/data/dbt"] = positionals;

interface Marked {
  project: string;
  item: Item;
  answer: Answer;
  faults: string[];
}

const ADD = "mutation ($input: CreateConnectorInput!) { createConnector(input: $input) { connector { id } } }";
const ASK = `query ($query: String!, $context: AgentContext) {
  ask(query: $query, context: $context) { answer confidence readAs citations { assetId } }
}`;
const answerSchema = z.object({
  data: z.object({
    ask: z.object({
      answer: z.string(),
      confidence: z.number(),
      citations: z.array(z.object({ assetId: z.string() })),
    }),
  }),
});

const marked: Marked[] = [];
for (const name of (await readdir(EXAM)).filter((each) => each.endsWith(".json"))) {
  const items = z.array(itemSchema).parse(JSON.parse(await readFile(new URL(name, EXAM), "utf8")));
  marked.push(...(await sit(path.basename(name, ".json"), items)));
}
if (values.answers !== undefined) await writeFile(values.answers, JSON.stringify(marked, null, 1));
report();

/** Asks all questions about one project, of a service that holds only this project. */
async function sit(project: string, items: readonly Item[]): Promise<Marked[]> {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), "tributary-exam-"));
  const app = await createApp(
    parseSettings({ PORT: "0", DATA_DIR: folder.path, LOG_LEVEL: "silent", SAMPLE: "off", CONNECTOR_FOLDERS: "/" }),
  );
  try {
    const workspace = await getDefaultWorkspace(app.metadata);
    const origin = fromCommandLine(workspace, await getFirstAdmin(app.metadata, workspace));
    const parts = { store: app.metadata, clock: app.clock, random: app.random };
    await setRateLimit(parts, origin, 10_000);
    const key = { name: "exam", scopes: ["read", "write", "admin"], expiresInDays: null, kind: "live" } as const;
    const { token } = await createApiKey(parts, origin, key);
    const url = await app.listen();
    const graphql = async (query: string, variables: object): Promise<unknown> => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const response = await fetch(`${url}/graphql`, {
        method: "POST",
        headers,
        body: JSON.stringify({ query, variables }),
      });
      return response.json();
    };
    if (project === "shop") await loadSample(app, workspace);
    else {
      const options = { manifest: file(project, "manifest.json"), catalog: file(project, "catalog.json") };
      await graphql(ADD, { input: { name: project, type: "dbt", options } });
      const connector = await app.metadata.connectors.findByName(workspace.id, project);
      if (connector === null) throw new Error(`${project} could not be added`);
      const sync = await app.syncs.trigger({ workspaceId: workspace.id, connectorId: connector.id });
      await app.queue.wait(workspace.id, sync.id);
    }
    const idOf = async (fqn: string): Promise<string | undefined> =>
      (await app.graph.findByFqn(workspace.id, fqn, {}))?.id;
    const all: Marked[] = [];
    for (const item of items) {
      const assetIds = await Promise.all((item.context?.asset_ids ?? []).map(idOf));
      const context = { assetIds, tags: item.context?.tags ?? [], workspaceArea: item.context?.workspace_area ?? null };
      const asked = await graphql(ASK, { query: item.question, context });
      const { answer: text, confidence, citations } = answerSchema.parse(asked).data.ask;
      const nodes = await app.graph.loadNodes(
        workspace.id,
        citations.map(({ assetId }) => toNodeId(assetId)),
      );
      const answer = { text, confidence, cited: nodes.flatMap((node) => node?.fqn ?? []) };
      all.push({ project, item, answer, faults: faultsOf(item, answer) });
    }
    return all;
  } finally {
    await app.close();
  }
}

function file(project: string, name: string): string {
  return path.resolve(projects, project, name);
}

function share(some: readonly Marked[]): string {
  const right = some.filter(({ faults }) => faults.length === 0).length;
  return `${right} of ${some.length} right (${((100 * right) / Math.max(1, some.length)).toFixed(0)} %)`;
}

function report(): void {
  const print = (title: string, of: (each: Marked) => string): void => {
    for (const [name, some] of Map.groupBy(marked, of)) console.log(`${title} ${name}: ${share(some)}`);
  };
  print("project", ({ project }) => project);
  print("class", ({ item }) => item.class);
  const answered = marked.filter(({ answer }) => !isDeclined(answer));
  const wrong = answered.filter(({ faults }) => faults.length > 0);
  const right = answered.filter(({ faults }) => faults.length === 0);
  const sure = answered.filter(({ answer }) => answer.confidence >= SURE);
  console.log(`all: ${share(marked)}; answered, and not right: ${wrong.length}`);
  console.log(`at confidence ${SURE} or more: ${share(sure)}`);
  console.log(
    `right answers at ${SURE} or more: ${right.filter((each) => sure.includes(each)).length} of ${right.length}`,
  );
  if (!values.verbose) return;
  for (const { project, item, answer, faults } of marked) {
    if (faults.length === 0) continue;
    console.log(
      `\n${project} ${item.id} (${item.class}): ${item.question}\n  ${answer.confidence} ${answer.text.slice(0, 300)}`,
    );
    console.log(`  should: ${faults.slice(0, 6).join("; ")}`);
  }
}
