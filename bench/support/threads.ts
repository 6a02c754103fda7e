/** The processor time of threads. Linux only: it is read from `/proc`. */
import { readdir, readFile } from "node:fs/promises";

const NANOSECONDS_PER_MS = 1e6;

/** The milliseconds that each thread of the processes has used. */
async function read(pids: readonly number[]): Promise<Map<string, number>> {
  const threads = pids.map(async (pid) => {
    const names = await readdir(`/proc/${pid}/task`).catch((): string[] => []);
    return names.map((name) => `/proc/${pid}/task/${name}/schedstat`);
  });
  const used = (await Promise.all(threads)).flat().map(async (path): Promise<[string, number]> => {
    // A thread that has just ended has no file.
    const text = await readFile(path, "utf8").catch(() => "0");
    return [path, Number.parseInt(text, 10) / NANOSECONDS_PER_MS];
  });
  return new Map(await Promise.all(used));
}

/** The milliseconds that all threads of the processes used for `work`. */
export async function threadsCost(pids: readonly number[], work: () => Promise<unknown>): Promise<number> {
  const before = await read(pids);
  await work();
  const after = await read(pids);
  return [...after].reduce((sum, [path, ms]) => sum + Math.max(0, ms - (before.get(path) ?? 0)), 0);
}
