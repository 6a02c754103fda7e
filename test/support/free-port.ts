import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Systems give ports above these to whoever names none: clients, and servers of other tests. */
const [FIRST, LAST] = [20_000, 32_000];

/** Those that this process has found. Their servers may not have started, or may start again. */
const found = new Set<number>();

/** A port of this machine that is free now, and that this process has not found before. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if (found.has(port) || !(await isFree(port))) continue;
    found.add(port);
    return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
