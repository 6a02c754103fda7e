/** The first start as a newcomer sees it, in a process of its own. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

import { expect, onTestFinished, test } from "vitest";

import { startCommand } from "../support/command-line.ts";
import { makeTemporaryFolder } from "../support/metadata-store.ts";

const SAVES_MEMORY = "--wasm-num-compilation-tasks=1";

test("The first start loads the sample, prints requests that work when pasted, saves memory, and ends at Ctrl-C", async () => {
  const server = startCommand(["serve"], { PORT: "0", DATA_DIR: await makeTemporaryFolder() });
  onTestFinished(() => void server.process.kill("SIGKILL"));
  const printed = await server.printed(/column_drop.*\n/);
  expect(printed).toMatch(/Loaded the sample, a shop's warehouse: 85 assets, 612 columns and 15 metrics\./);
  const lines = printed.split("\n").filter((line) => line.startsWith("curl "));
  const answers = await Promise.all(lines.map((line) => promisify(execFile)("sh", ["-c", line])));
  const [assets, , , impact] = answers.map(({ stdout }) => JSON.parse(stdout));
  expect(assets.data.length).toBeGreaterThan(0);
  expect(impact.data.impact.summary.highRiskCount).toBeGreaterThan(10);
  const command = `/proc/${server.process.pid}/cmdline`;
  const args = process.platform === "linux" ? (await readFile(command, "utf8")).split("\0") : [SAVES_MEMORY];
  expect(args).toContain(SAVES_MEMORY);
  expect(await server.interrupt()).toMatchObject({ code: 0, stderr: "" });
});
