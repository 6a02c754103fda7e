/** What a server uses, with all its processes. Linux only: it is read from `/proc`. */
import { readdir, readFile } from "node:fs/promises";

import { threadsCost } from "../support/threads.ts";

const TICKS_PER_SECOND = 100;

interface Process {
  pid: number;
  parent: number;
  /** Seconds of processor time of its own, and of its children that have ended. */
  own: number;
  ended: number;
}

/** Null if there is no such process. */
const readOrNull = (path: string): Promise<string | null> => readFile(path, "utf8").catch(() => null);

async function readProcess(pid: number): Promise<Process[]> {
  const text = await readOrNull(`/proc/${pid}/stat`);
  if (text === null) return [];
  // The name before the last parenthesis may hold anything. The fields after it are the third and so on of proc(5).
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
  const own = (user + system) / TICKS_PER_SECOND;
  return [{ pid, parent: fields[1] ?? 0, own, ended: (childUser + childSystem) / TICKS_PER_SECOND }];
}

/** The processes, and all that descend from them. */
async function readTrees(roots: readonly number[]): Promise<Process[]> {
  const pids = (await readdir("/proc")).map(Number).filter(Number.isInteger);
  const all = (await Promise.all(pids.map(readProcess))).flat();
  const children = Map.groupBy(all, ({ parent }) => parent);
  const tree = all.filter(({ pid }) => roots.includes(pid));
  // The loop visits what it adds.
  for (const { pid } of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

/** Seconds of processor time since the start, to the hundredth, with what has ended. */
export async function processorSeconds(roots: readonly number[]): Promise<number> {
  const tree = await readTrees(roots);
  return tree.reduce((sum, { pid, own, ended }) => sum + own + (roots.includes(pid) ? ended : 0), 0);
}

/** MiB of memory. What processes share is counted once. */
export async function memoryMib(roots: readonly number[]): Promise<number> {
  const sizes = (await readTrees(roots)).map(async ({ pid }) => {
    const text = await readOrNull(`/proc/${pid}/smaps_rollup`);
    return Number(/^Pss:\s+(\d+) kB$/m.exec(text ?? "")?.[1] ?? 0) / 1_024;
  });
  return (await Promise.all(sizes)).reduce((sum, mib) => sum + mib, 0);
}

/** Measures short work: the milliseconds of processor time of each thread that lives on, and of processes that end. */
export async function createMeter(roots: readonly number[]) {
  const pids = (await readTrees(roots)).map(({ pid }) => pid);

  async function ended(): Promise<number> {
    const processes = (await Promise.all(roots.map(readProcess))).flat();
    return processes.reduce((sum, process) => sum + process.ended * 1_000, 0);
  }

  return async (work: () => Promise<unknown>): Promise<number> => {
    const before = await ended();
    const lived = await threadsCost(pids, work);
    return lived + (await ended()) - before;
  };
}
