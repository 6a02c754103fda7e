/**
 * Measures the lineage canvas in a browser: `node bench/ui/canvas.ts`. A picture of about 500 nodes and 1,500 links,
 * and a hub of 3,000. Frames depend on the machine: without a graphics card, the processor draws them.
 */
import type { Page } from "playwright-core";

import { nodeId, type NodeRef, toFqn } from "../../src/catalog/identity.ts";
import { toFacts } from "../../src/catalog/statement.ts";
import type { EdgeWrite, NodeWrite } from "../../src/graph/catalog-writes.ts";
import type { NodeId } from "../../src/ids.ts";
import { getDefaultWorkspace } from "../../src/cli/start/workspace.ts";
import { sideKey } from "../../src/ui/pages/lineage/model/graph.ts";
import { writeView } from "../../src/ui/pages/lineage/model/url-state.ts";
import { createView } from "../../src/ui/pages/lineage/model/view.ts";
import { nameOf, stampOf } from "../../test/support/graph-writes.ts";
import { startUi } from "../../test/support/ui.ts";
import { seeded } from "../support/random.ts";

const LEADS = 50;
const OF_EACH_LEAD = 12;
const POOL = 450;
const AMONG_POOL = 850;
const HUB = 3_000;
const BATCH = 500;
const PAN_STEPS = 240;

const bench = await startUi({});
const { app } = bench.running;
const workspace = await getDefaultWorkspace(app.metadata);

const nodes: NodeWrite[] = [];
const edges: EdgeWrite[] = [];
const lay = (name: string): NodeId => {
  const ref: NodeRef = { platform: "postgres", instance: "", type: "model", parts: ["shop", "marts", name] };
  const id = nodeId(nameOf(workspace.id), ref);
  nodes.push({ id, type: "model", platform: "postgres", parentId: null, facts: toFacts({ name, fqn: toFqn(ref) }) });
  return id;
};
const link = (from: NodeId | undefined, to: NodeId | undefined): void => {
  if (from !== undefined && to !== undefined) edges.push({ from, to, kind: "derives", uses: [] });
};

const random = seeded(7);
const root = lay("root");
const leads = Array.from({ length: LEADS }, (_, place) => lay(`lead_${place}`));
const pool = Array.from({ length: POOL }, (_, place) => lay(`model_${place}`));
leads.forEach((lead, place) => {
  link(root, lead);
  for (let nth = 0; nth < OF_EACH_LEAD; nth++) link(lead, pool[(place * 9 + nth) % POOL]);
});
for (let count = 0; count < AMONG_POOL; count++) {
  const from = Math.floor(random() * (POOL - 60));
  link(pool[from], pool[from + 20 + Math.floor(random() * 40)]);
}
const hub = lay("hub");
for (let place = 0; place < HUB; place++) link(hub, lay(`consumer_${place}`));
const stamp = stampOf(workspace.id, "bench", 1);
for (let at = 0; at < nodes.length; at += BATCH) {
  await app.graph.writeNodes(stamp, "bench", nodes.slice(at, at + BATCH));
}
for (let at = 0; at < edges.length; at += BATCH) {
  await app.graph.writeEdges(stamp, "bench", edges.slice(at, at + BATCH));
}

const view = createView(root);
const open = new Map([
  [sideKey(root, "down"), LEADS],
  ...leads.map((id) => [sideKey(id, "down"), OF_EACH_LEAD] as const),
]);
const address = `/lineage/${root}?${writeView({ ...view, open }).toString()}`;

const untilIdle = (page: Page) => page.locator("[data-busy]").waitFor({ state: "detached", timeout: 120_000 });

const nextFrame = (page: Page) => page.evaluate("new Promise((resolve) => requestAnimationFrame(resolve))");

async function openTimed(path: string): Promise<Page> {
  const { page, faults } = await bench.open(path);
  await page.locator(".react-flow__node").first().waitFor({ timeout: 120_000 });
  await untilIdle(page);
  const ms = await page.evaluate<number>("performance.now()");
  const answered = await page.evaluate<number>(
    "Math.max(...performance.getEntriesByName(new URL('/graphql', location.href).href).map((it) => it.responseEnd))",
  );
  console.log(
    `first picture ${Math.round(ms)} ms after the address was opened; the last answer came after ${Math.round(answered)} ms`,
  );
  if (faults.length > 0) console.log("faults:", faults);
  return page;
}

/** Drags the picture to and fro, and returns the times of the frames. */
async function pan(page: Page, name: string): Promise<void> {
  await page.evaluate(`(() => {
    window.frames_ = [];
    let last = performance.now();
    const tick = (now) => { window.frames_.push(now - last); last = now; window.ticking_ = requestAnimationFrame(tick); };
    window.ticking_ = requestAnimationFrame(tick);
  })()`);
  const rendered = await page.locator(".react-flow__node").count();
  await page.mouse.move(700, 400);
  await page.mouse.down();
  for (let step = 0; step < PAN_STEPS; step++) {
    await page.mouse.move(700 + 300 * Math.sin(step / 20), 400 + 200 * Math.cos(step / 15));
  }
  await page.mouse.up();
  const frames = await page.evaluate<number[]>("(cancelAnimationFrame(window.ticking_), window.frames_)");
  const sorted = frames.toSorted((a, b) => a - b);
  const at = (part: number): string => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(1);
  const seconds = frames.reduce((sum, ms) => sum + ms, 0) / 1_000;
  console.log(
    `panning ${name}: ${(frames.length / seconds).toFixed(0)} frames a second; a frame takes ${at(0.5)} ms, ` +
      `at worst ${at(0.99)} ms; ${rendered} nodes in the document`,
  );
}

console.log(`${LEADS + POOL + 1} nodes, ${LEADS + LEADS * OF_EACH_LEAD + AMONG_POOL} links`);
const large = await openTimed(address);
await pan(large, "what can be read");
await large.getByRole("application").focus();
await large.keyboard.press("f");
await large.locator(".react-flow__node").nth(400).waitFor({ state: "attached" });
if (process.argv[2] !== undefined) await large.screenshot({ path: `${process.argv[2]}/large.png` });
await pan(large, "all of it");
await large.close();

console.log(`a hub of ${HUB}`);
const page = await openTimed(`/lineage/${hub}`);
const more = page.getByRole("button", { name: /more$/ });
for (let time = 0; time < 3; time++) {
  const before = await more.innerText();
  const started = performance.now();
  await more.click();
  // The fold is the last item of the list, and moves out of the window as the list grows.
  while ((await more.allInnerTexts()).includes(before)) await nextFrame(page);
  await untilIdle(page);
  console.log(`${before}: ${Math.round(performance.now() - started)} ms`);
  await page.getByRole("application").focus();
  await page.keyboard.press("f");
  await more.waitFor();
}
await pan(page, "the hub");
if (process.argv[2] !== undefined) await page.screenshot({ path: `${process.argv[2]}/hub.png` });
await bench.close();
