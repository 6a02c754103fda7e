/**
 * How many questions the agent answers right: `node bench/agent/exam.ts [--verbose]`. It asks all of them of the sample, in
 * this process and without a language model, and prints the share right of each kind, and every miss with what was missing.
 * The second and the unseen exam come after the first, each counted apart.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { createAgent } from "../../src/agent/agent.ts";
import { createApp } from "../../src/app.ts";
import { parseSettings } from "../../src/settings.ts";
import { loadSample } from "../../src/start/sample.ts";
import { getDefaultWorkspace } from "../../src/start/workspace.ts";
import { type Answer, isDeclined, mark } from "./grade.ts";
import type { Answerable, Context, Fqn, Unanswerable } from "./question.ts";
import { answerable, unanswerable } from "./questions.ts";
import { second, secondUnanswerable } from "./second.ts";
import { unseen, unseenUnanswerable } from "./unseen.ts";

const { values: options } = parseArgs({ options: { verbose: { type: "boolean", default: false } } });

const folder = await mkdtemp(path.join(tmpdir(), "tributary-exam-"));
const settings = parseSettings({ PORT: "0", DATA_DIR: folder, LOG_LEVEL: "silent" });
const app = await createApp(settings);
try {
  const workspace = await getDefaultWorkspace(app.metadata);
  await app.listen();
  await loadSample(app, workspace);
  const { graph, metadata, random } = app;
  const agent = createAgent({ graph, metadata, random, maxLineageNodes: settings.maxLineageNodes });

  const idOf = async (fqn: Fqn): Promise<string> => {
    const node = await graph.findByFqn(workspace.id, fqn, {});
    if (node === null) throw new Error(`The sample has no ${fqn}.`);
    return node.id;
  };
  const ask = async (question: string, context: Context = {}): Promise<Answer> => {
    const assetIds = await Promise.all((context.asset_ids ?? []).map(idOf));
    const request = { assetIds, tags: context.tags ?? [], workspaceArea: context.workspace_area ?? null };
    const asker = { workspace: workspace.id, mayWrite: false };
    const { answer, confidence, citations } = await agent.ask({ query: question, context: request }, asker);
    const cited = await graph.loadNodes(
      workspace.id,
      citations.map(({ assetId }) => assetId),
    );
    return { text: answer, confidence, cited: cited.map((node) => node?.fqn ?? "nothing") };
  };
  await runExam("first", { kinds: answerable, toDecline: unanswerable }, ask);
  await runExam("second", { kinds: second, toDecline: secondUnanswerable }, ask);
  await runExam("unseen", { kinds: unseen, toDecline: unseenUnanswerable }, ask);
} finally {
  await app.close();
  await rm(folder, { recursive: true });
}

type Ask = (question: string, context?: Context) => Promise<Answer>;

interface Exam {
  /** What can be answered, by what is asked. */
  kinds: Readonly<Record<string, readonly Answerable[]>>;
  toDecline: readonly Unanswerable[];
}

async function runExam(name: string, { kinds, toDecline }: Exam, ask: Ask): Promise<void> {
  console.log(`${name} exam`);
  let right = 0;
  let all = 0;
  const millis: number[] = [];
  const timed: Ask = async (question, context) => {
    const started = performance.now();
    const answer = await ask(question, context);
    millis.push(performance.now() - started);
    return answer;
  };
  for (const [kind, items] of Object.entries(kinds)) {
    const misses = await missesOf(items, timed);
    right += items.length - misses;
    all += items.length;
    console.log(`${kind}: ${items.length - misses} of ${items.length}`);
  }
  const declined = toDecline.length - (await answeredOf(toDecline, timed));
  console.log(`right: ${right} of ${all} (${((100 * right) / all).toFixed(1)} %)`);
  console.log(`declined: ${declined} of ${toDecline.length}`);
  const ordered = millis.toSorted((a, b) => a - b);
  console.log(
    `median ${ordered[Math.floor(ordered.length / 2)]?.toFixed(0)} ms, longest ${ordered.at(-1)?.toFixed(0)} ms`,
  );
}

async function missesOf(items: readonly Answerable[], ask: Ask): Promise<number> {
  let misses = 0;
  for (const item of items) {
    const answer = await ask(item.question, item.context);
    const { right, missing } = mark(item, answer);
    if (!right) misses++;
    if (!right || options.verbose) tell(item.question, answer, missing);
  }
  return misses;
}

async function answeredOf(items: readonly Unanswerable[], ask: Ask): Promise<number> {
  let answered = 0;
  for (const { question, context } of items) {
    const answer = await ask(question, context);
    if (!isDeclined(answer)) answered++;
    if (!isDeclined(answer) || options.verbose) tell(question, answer, ["decline"]);
  }
  return answered;
}

function tell(question: string, { text, confidence }: Answer, missing: readonly string[]): void {
  console.log(`  ${question}\n    ${confidence} ${text}${missing.map((it) => `\n    should ${it}`).join("")}`);
}
