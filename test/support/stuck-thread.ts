/** Loaded into a server by a test: a thread of its pool waits for ever, as it would for an unreachable name server. */
import { execFileSync } from "node:child_process";
import { existsSync, open } from "node:fs";
import { join } from "node:path";
import { isMainThread } from "node:worker_threads";

// The server's own threads load this module too.
if (isMainThread) {
  const pipe = join(process.cwd(), "nobody-writes-here");
  // A server begins once more with other settings, and then loads this again.
  if (!existsSync(pipe)) execFileSync("mkfifo", [pipe]);
  open(pipe, "r", () => {});
}
