/** Commands that are asked of a running service with a token alone, beside the same commands on its data folder. */
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type RunningApp, startApp } from "../support/app.ts";
import { type Ended, runCommandHere } from "../support/command-line.ts";

const ADMIN = "admin@localhost.localdomain";

let app: RunningApp;
beforeAll(async () => {
  app = await startApp({ sample: true });
}, 60_000);
afterAll(() => app.close());

/** Words are divided by spaces. */
function runOnFolder(command: string): Promise<Ended> {
  return runCommandHere(command.split(" "), { DATA_DIR: app.app.settings.dataDir });
}

/** Without a data folder, as on another machine. */
function runElsewhere(command: string, token = app.token): Promise<Ended> {
  const DATA_DIR = join(app.app.settings.dataDir, "none");
  return runCommandHere(command.split(" "), { DATA_DIR, TRIBUTARY_URL: app.url, TRIBUTARY_TOKEN: token });
}

/** What a command that must succeed, and say nothing else, printed. */
async function resultOf(command: string, runIt = runElsewhere): Promise<string> {
  const { code, stdout, stderr } = await runIt(command);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

describe("a service elsewhere", { timeout: 60_000 }, () => {
  it("does a sync, which the command waits for", async () => {
    const done = JSON.parse(await resultOf("sync shop --force --wait"));
    expect(done).toMatchObject({ status: "completed", errors_total: 0, completed_at: expect.any(String) });
    const again = await runElsewhere("sync shop --wait");
    expect(again.stderr).toMatch(/^This is the sync that was asked for \d+ s ago; it is completed\./);
    expect(JSON.parse(again.stdout)).toEqual(done);
    expect(JSON.parse((await runOnFolder("sync shop --wait")).stdout)).toEqual(done);
  });

  it("does a sync that fails, for which the exit code is 1", async () => {
    await resultOf("connector add dbt --no-test --name gone --option manifest=/gone/manifest.json");
    const { code, stdout } = await runElsewhere("sync gone --wait");
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 1, status: "failed", errors_total: 1 });
    await resultOf("connector remove gone --yes");
  });

  it("certifies a metric in the name of the token's owner", async () => {
    const [, pending] = /^(shop\.\S+) .* pending *$/m.exec(await resultOf("metric list")) ?? [];
    await resultOf(`metric certify ${pending} --note Agreed.`);
    expect(await resultOf("metric list")).toMatch(new RegExp(`^${pending} .* certified +${ADMIN} +\\S+Z$`, "m"));
    await resultOf(`metric withdraw ${pending}`);
    const trail = await resultOf(`metric trail ${pending}`);
    expect(trail).toMatch(new RegExp(`certify +pending +certified +${ADMIN} +Agreed\\.$`, "m"));
    expect(trail).toBe(await resultOf(`metric trail ${pending}`, runOnFolder));
  });

  it("refuses a person whom the command names: it knows who asks by the token", async () => {
    expect(await runElsewhere(`metric certify any --user ${ADMIN}`)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^--user is for the data folder/),
    });
  });
});
