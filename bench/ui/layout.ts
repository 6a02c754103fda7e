/**
 * Measures the layout engine in a worker of a browser: `node bench/ui/layout.ts`. In every round, each way lays out the
 * same picture of about 500 nodes and 1,500 lines in turn, so that they can be compared on a busy machine too.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { ElkNode, LayoutOptions } from "elkjs/lib/elk-api.js";
import { seeded } from "../support/random.ts";

import { LARGE } from "../../src/ui/pages/lineage/layout/layout.ts";
import { openBrowser } from "../../test/support/browser.ts";

const WAYS: Readonly<Record<string, LayoutOptions>> = {
  ours: LARGE,
  "short lines": { ...LARGE, "elk.layered.layering.strategy": "NETWORK_SIMPLEX" },
  "straight lines": { ...LARGE, "elk.layered.nodePlacement.strategy": "BRANDES_KOEPF" },
};
const ROUNDS = 3;

interface Ends {
  from: string;
  to: string;
}

/** The same picture as in `canvas.ts`: a root, 50 models made from it, and 450 models made from these. */
function drawLinks(): Ends[] {
  const random = seeded(7);
  const lines: Ends[] = [];
  for (let lead = 0; lead < 50; lead++) {
    lines.push({ from: "root", to: `lead ${lead}` });
    for (let nth = 0; nth < 12; nth++) lines.push({ from: `lead ${lead}`, to: `model ${(lead * 9 + nth) % 450}` });
  }
  for (let count = 0; count < 850; count++) {
    const from = Math.floor(random() * 390);
    lines.push({ from: `model ${from}`, to: `model ${from + 20 + Math.floor(random() * 40)}` });
  }
  return [...new Map(lines.map((line) => [`${line.from} ${line.to}`, line])).values()];
}

const lines = drawLinks();
const ids = new Set(lines.flatMap(({ from, to }) => [from, to]));
const toGraph = (layoutOptions: LayoutOptions): ElkNode => ({
  id: "root of all",
  layoutOptions,
  children: [...ids].map((id) => ({ id, width: 224, height: 54 })),
  edges: lines.map(({ from, to }, place) => ({ id: `line ${place}`, sources: [from], targets: [to] })),
});

interface Measured {
  /** Times in milliseconds. The first one includes the start of the worker. */
  times: number[];
  boxes: Record<string, { x: number; y: number }>;
}

/** The measures of a picture: its size, the length of its lines, and the number of pairs that cross. */
function judge(boxes: Measured["boxes"]) {
  const at = (id: string) => boxes[id] ?? { x: 0, y: 0 };
  const ends = lines.map(({ from, to }) => ({
    x1: at(from).x + 224,
    y1: at(from).y,
    x2: at(to).x,
    y2: at(to).y,
  }));
  let crossings = 0;
  ends.forEach((one, place) => {
    for (const other of ends.slice(place + 1)) {
      const [left, right] = [Math.max(one.x1, other.x1), Math.min(one.x2, other.x2)];
      if (left >= right) continue;
      const yOf = (line: typeof one, x: number): number =>
        line.y1 + ((line.y2 - line.y1) * (x - line.x1)) / (line.x2 - line.x1);
      if ((yOf(one, left) - yOf(other, left)) * (yOf(one, right) - yOf(other, right)) < 0) crossings++;
    }
  });
  const all = Object.values(boxes);
  return {
    width: Math.round(Math.max(...all.map(({ x }) => x)) + 224),
    height: Math.round(Math.max(...all.map(({ y }) => y)) + 54),
    meanLine: Math.round(ends.reduce((sum, { x1, y1, x2, y2 }) => sum + Math.hypot(x2 - x1, y2 - y1), 0) / ends.length),
    crossings,
  };
}

const require = createRequire(import.meta.url);
const [api, worker] = await Promise.all(
  ["elkjs/lib/elk-api.js", "elkjs/lib/elk-worker.min.js"].map((path) => readFile(require.resolve(path), "utf8")),
);
const browser = await openBrowser();
const page = await browser.newPage();
await page.addScriptTag({ content: api ?? "" });
await page.evaluate((text) => {
  Object.assign(globalThis, { workerUrl: URL.createObjectURL(new Blob([text], { type: "text/javascript" })) });
}, worker ?? "");

/** Lays the graph out in a new worker, and twice more. */
const measure = (large: ElkNode): Promise<Measured> =>
  page.evaluate(async (graph) => {
    const elk: { layout: (graph: ElkNode) => Promise<ElkNode>; terminateWorker: () => void } = Reflect.construct(
      Reflect.get(globalThis, "ELK"),
      [{ workerUrl: Reflect.get(globalThis, "workerUrl") }],
    );
    const times: number[] = [];
    let boxes: Measured["boxes"] = {};
    for (let time = 0; time < 3; time++) {
      const began = performance.now();
      const { children } = await elk.layout(structuredClone(graph));
      times.push(performance.now() - began);
      boxes = Object.fromEntries((children ?? []).map(({ id, x = 0, y = 0 }) => [id, { x, y }]));
    }
    elk.terminateWorker();
    return { times, boxes };
  }, large);

console.log(`${ids.size} nodes, ${lines.length} lines; medians of ${ROUNDS} rounds, each in a new worker`);
const all = new Map<string, Measured[]>();
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, options] of Object.entries(WAYS)) {
    all.set(name, [...(all.get(name) ?? []), await measure(toGraph(options))]);
  }
}
for (const [name, measured] of all) {
  const median = (time: number): number => {
    const sorted = measured.map(({ times }) => times[time] ?? 0).toSorted((a, b) => a - b);
    return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
  };
  const { width, height, meanLine, crossings } = judge(measured[0]?.boxes ?? {});
  console.log(
    `${name}: first ${median(0)} ms, then ${median(1)} and ${median(2)} ms; ` +
      `${width} x ${height}, a line is ${meanLine} long, ${crossings} crossings`,
  );
}
await browser.close();
