/** Loaded into a server by a test: a thread of its pool waits for ever, as for a name server that is away. */
import { execFileSync } from "node:child_process";
import { open } from "node:fs";
import { join } from "node:path";
import { isMainThread } from "node:worker_threads";

// The server's own threads load it again.
if (isMainThread) {
  const pipe = join(process.cwd(), "nobody-writes-here");
  execFileSync("mkfifo", [pipe]);
  open(pipe, "r", () => {});
}
