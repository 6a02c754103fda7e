/**
 * Asks the questions of exams, and marks the answers by facts that can be checked.
 * Usage: node bench/agent/exam.ts [exam files, default all in exams/] [--projects ../shared/data/dbt] [--verbose] [--answers file]
 * Prints the shares right, false and declined by project and class, how far `confidence` can be relied on, and with `--verbose`
 * every miss with what was missing. With AGENT_MODEL_URL and its companions in the environment, the model is asked.
 * `README.md` tells how the exams were made.
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

const EXAMS = path.join(import.meta.dirname, "exams");
/** The lower ends of the spans of confidence whose share right is printed. */
const SPANS = [0.9, 0.8, 0.6, 0.4, 0.2];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    projects: { type: "string", default: "../shared/data/dbt" },
    verbose: { type: "boolean", default: false },
    answers: { type: "string" },
  },
});

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
const files = positionals.length > 0 ? positionals : (await readdir(EXAMS)).map((name) => path.join(EXAMS, name));
const questions: Item[] = [];
for (const exam of files) questions.push(...z.array(itemSchema).parse(JSON.parse(await readFile(exam, "utf8"))));
for (const [project, some] of Map.groupBy(questions, (item) => item.project))
  marked.push(...(await sit(project, some)));
if (values.answers !== undefined) await writeFile(values.answers, JSON.stringify(marked, null, 1));
report();

/** Asks all questions about one project, of a service that holds only this project. */
async function sit(project: string, items: readonly Item[]): Promise<Marked[]> {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), "tributary-exam-"));
  const app = await createApp(
    parseSettings({
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("AGENT_MODEL"))),
      PORT: "0",
      DATA_DIR: folder.path,
      LOG_LEVEL: "silent",
      SAMPLE: "off",
      CONNECTOR_FOLDERS: "/",
    }),
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
      (await app.graph.loadByFqn(workspace.id, fqn, {}))[0]?.id;
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
  return path.resolve(values.projects, project, name);
}

function percent(part: number, all: number): string {
  return `${((100 * part) / Math.max(1, all)).toFixed(1)} %`;
}

function tally(some: readonly Marked[]): string {
  const right = some.filter(({ faults }) => faults.length === 0);
  const answered = some.filter(({ answer }) => !isDeclined(answer));
  const wrong = answered.filter(({ faults }) => faults.length > 0);
  return (
    `${right.length} of ${some.length} right (${percent(right.length, some.length)}), ` +
    `${wrong.length} false (${percent(wrong.length, some.length)}), ` +
    `${percent(answered.length - wrong.length, answered.length)} of the ${answered.length} answered are right`
  );
}

function report(): void {
  const print = (title: string, of: (each: Marked) => string): void => {
    for (const [name, some] of Map.groupBy(marked, of)) console.log(`${title} ${name}: ${tally(some)}`);
  };
  print("project", ({ project }) => project);
  print("class", ({ item }) => item.class);
  console.log(`all: ${tally(marked)}`);
  for (const [i, from] of SPANS.entries()) {
    const to = SPANS[i - 1] ?? 1.01;
    const some = marked.filter(({ answer }) => answer.confidence >= from && answer.confidence < to);
    const right = some.filter(({ faults }) => faults.length === 0).length;
    if (some.length > 0)
      console.log(`confidence from ${from}: ${right} of ${some.length} right (${percent(right, some.length)})`);
  }
  if (!values.verbose) return;
  for (const { project, item, answer, faults } of marked) {
    if (faults.length === 0) continue;
    console.log(
      `\n${project} ${item.id} (${item.class}): ${item.question}\n  ${answer.confidence} ${answer.text.slice(0, 300)}`,
    );
    console.log(`  should: ${faults.slice(0, 6).join("; ")}`);
  }
}
