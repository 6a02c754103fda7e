/** The receiver of docs/notifications.md, run as it is printed there. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { expect, it, onTestFinished } from "vitest";

import { systemClock } from "../../../src/clock.ts";
import { findFreePort } from "../../support/free-port.ts";
import { openTestMetadata } from "../../support/metadata-store.ts";
import { NO_GRAPH } from "../../support/no-graph.ts";
import { openNotices } from "../../support/notices.ts";
import { present } from "../../support/present.ts";

const ROOT = join(import.meta.dirname, "../../..");

it("The receiver in the documentation prints a notice, and refuses one with another secret's signature", async () => {
  const page = await readFile(join(ROOT, "docs/notifications.md"), "utf8");
  const [, program = ""] = present(/```js\n([\s\S]+?)```/.exec(page));
  // It must be where it finds its package.
  const file = join(ROOT, "node_modules/.cache", `receiver-${process.pid}.mjs`);
  await writeFile(file, program);
  onTestFinished(() => rm(file));
  const port = await findFreePort();
  const metadata = await openTestMetadata();
  const { store, workspace } = metadata;
  const { addRule, work } = openNotices({ ...metadata, graph: NO_GRAPH }, { clock: systemClock });
  const { secret, rule } = await addRule({ url: `http://127.0.0.1:${port}` });
  await addRule({ name: "forger", url: `http://127.0.0.1:${port}` });
  const receiver = spawn(process.execPath, [file], {
    env: { ...process.env, WEBHOOK_SECRET: present(secret), PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    receiver.kill();
    await once(receiver, "exit");
  });
  const lines = createInterface(receiver.stdout);
  const printed: string[] = [];
  lines.on("line", (line) => printed.push(line));
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(400);
  await store.audit.append({
    workspaceId: workspace.id,
    action: "certification_lapsed",
    actor: "connector shop",
    source: "service",
    subject: "m",
    details: { metric: "Revenue", note: "It changed." },
  });
  await work();
  const { items } = await store.notices.list(workspace.id, rule.id, { after: null, limit: 5 });
  expect(items).toMatchObject([{ status: "delivered", tries: [{ status: 204 }] }]);
  await expect.poll(() => printed.length).toBe(1);
  expect(printed).toEqual(["certification_lapsed Revenue It changed. https://tributary.example/metrics/m"]);
  const rules = await store.noticeRules.list(workspace.id);
  const forger = present(rules.find(({ name }) => name === "forger"));
  const forged = await store.notices.list(workspace.id, forger.id, { after: null, limit: 5 });
  expect(forged.items).toMatchObject([{ status: "waiting", tries: [{ status: 400 }] }]);
});
