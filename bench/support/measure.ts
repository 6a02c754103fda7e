/** Measures answers over HTTP, in turns with a bare server, so that the ratio is meaningful on a busy machine too. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";

import { asService } from "./as-service.ts";

export interface AppMessage {
  origin: string;
  token: string;
  loadSeconds: number;
  /** The id of an asset in the middle of the graph. */
  middle: string;
  /** The ids of assets that are spread over the warehouse. */
  spread: string[];
  /** The id of an asset with some fifty others downstream. */
  few?: string | undefined;
  /** The ids of a hub's table and its column, if there is a hub. */
  hub?: string | undefined;
  hubColumn?: string | undefined;
}

export interface Duel extends AppMessage {
  /**
   * Prints a line: the medians of both servers for the same answer, and their ratio. 1.00 would be as fast as the bare
   * server.
   */
  compare(name: string, address: string): Promise<void>;
}

const ROUNDS = 300;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** The text of an answer with status 200 or 404. */
export function fetchText(url: string, token: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200 || response.statusCode === 404) resolve(text);
        else reject(new Error(`${url} answered ${response.statusCode}: ${text}`));
      });
    });
    request.on("error", reject);
  });
}

/** Milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export const median = (times: number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;

export async function firstMessage<T>(child: ChildProcess): Promise<T> {
  const [message] = await once(child, "message");
  return message as T;
}

/** Runs the service with a made-up warehouse, and the bare server, while `work` runs. */
export async function besideBareServer(
  warehouse: { assets: string; edges: string },
  work: (duel: Duel) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "tributary-bench-"));
  const service = fork(
    path.join(import.meta.dirname, "app-server.ts"),
    [folder, warehouse.assets, warehouse.edges],
    asService(),
  );
  const bare = fork(path.join(import.meta.dirname, "bare-server.ts"));
  try {
    const [app, { origin }] = await Promise.all([
      firstMessage<AppMessage>(service),
      firstMessage<{ origin: string }>(bare),
    ]);
    const compare = async (name: string, address: string): Promise<void> => {
      const answer = await fetchText(app.origin + address, app.token);
      bare.send({ path: address, body: JSON.parse(answer) as unknown });
      await once(bare, "message");
      const [ours, theirs]: [number[], number[]] = [[], []];
      for (let round = 0; round < ROUNDS; round++) {
        ours.push(await timed(() => fetchText(app.origin + address, app.token)));
        theirs.push(await timed(() => fetchText(origin + address, app.token)));
      }
      const [o, t] = [median(ours), median(theirs)];
      const cells = [String(answer.length).padStart(8), o.toFixed(2).padStart(12), t.toFixed(2).padStart(9)];
      console.log(`${name.padEnd(22)}${cells.join(" ")}${(t / o).toFixed(2).padStart(8)}`);
    };
    await work({ ...app, compare });
  } finally {
    service.kill();
    bare.kill();
    agent.destroy();
    await rm(folder, { recursive: true });
  }
}

/** The heading of the lines that `compare` prints. */
export const COLUMNS = "answer                   bytes   service ms   bare ms   ratio";
