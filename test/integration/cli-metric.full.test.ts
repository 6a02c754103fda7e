import { afterAll, beforeAll, expect, it } from "vitest";

import { type RunningApp, startApp } from "../support/app.ts";
import { type Ended, runCommand, runCommandHere } from "../support/command-line.ts";
import { writeSmallCatalog } from "../support/small-catalog.ts";

let running: RunningApp;
beforeAll(async () => {
  running = await startApp();
  await writeSmallCatalog(running);
});
afterAll(() => running.close());

function run(args: readonly string[], runIt = runCommandHere): Promise<Ended> {
  return runIt(args, { DATA_DIR: running.app.settings.dataDir });
}

async function resultOf(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

it("`tributary metric` certifies and withdraws in the name of the first admin, or of a given person", async () => {
  const { code, stderr } = await run(["metric", "certify", "orders_per_day", "--note", "As agreed."], runCommand);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const line = /^shop\.orders_per_day +[0-9a-f]{32} +simple +certified +admin@localhost\.localdomain +\S+Z$/m;
  expect(await resultOf("metric", "list")).toMatch(line);

  await resultOf("person", "create", "--email", "ada@example.com", "--role", "engineer");
  const refused = await run(["metric", "withdraw", "orders_per_day", "--user", "ada@example.com"]);
  expect(refused).toEqual({
    code: 1,
    stdout: "",
    stderr:
      "ada@example.com may not certify metrics; tributary person grant ada@example.com metrics:certify allows an engineer to.\n",
  });
  await resultOf("person", "grant", "ada@example.com", "metrics:certify");
  await resultOf("metric", "withdraw", "shop.orders_per_day", "--user", "ada@example.com", "--note", "It was not.");
  expect(await resultOf("metric", "list")).toMatch(/^shop\.orders_per_day +[0-9a-f]{32} +simple +pending$/m);

  const [headings, certified, withdrawn, ...more] = (await resultOf("metric", "trail", "orders_per_day"))
    .trimEnd()
    .split("\n");
  expect(headings).toMatch(/^AT +ACTION +FROM +TO +ACTOR +NOTE$/);
  expect(certified).toMatch(/^\S+Z +certify +pending +certified +command line +As agreed\.$/);
  expect(withdrawn).toMatch(/^\S+Z +withdraw +certified +pending +ada@example\.com +It was not\.$/);
  expect(more).toEqual([]);
});

it("`tributary metric` shows the certification of a source", async () => {
  expect(await resultOf("metric", "trail", "lifetime_value")).toMatch(
    /^2026-01-12T08:00:00\.000Z +state +pending +certified +cfo@example\.com +Stated by connector warehouse-dbt\.$/m,
  );
});

it("`tributary metric` says what is wrong", async () => {
  expect(await run(["metric", "certify", "nothing"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "There is no metric nothing in the workspace default; tributary metric list shows what there is.\n",
  });
  expect(await run(["metric", "certify", "lifetime_value"])).toMatchObject({
    code: 1,
    stderr: "lifetime_value is certified already by cfo@example.com; withdraw that first.\n",
  });
  const broken = await run(["metric", "withdraw", "lifetime_value", "--note", "a\nb"]);
  expect(broken).toMatchObject({ code: 2, stderr: expect.stringMatching(/^note: must be one line/) });
  await resultOf("person", "create", "--email", "eve@example.com", "--role", "admin");
  await resultOf("person", "disable", "eve@example.com");
  const disabled = await run(["metric", "certify", "lifetime_value", "--user", "eve@example.com"]);
  expect(disabled).toMatchObject({ code: 1, stderr: "eve@example.com is disabled.\n" });
});
