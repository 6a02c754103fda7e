import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, expect, it } from "vitest";

import { type RunningApp, startApp } from "../support/app.ts";
import { type Ended, runCommandHere } from "../support/command-line.ts";

const SHOP = fileURLToPath(new URL("../../samples/shop/", import.meta.url));

let running: RunningApp;
beforeAll(async () => {
  running = await startApp({ sample: true });
});
afterAll(() => running.close());

function run(...args: string[]): Promise<Ended> {
  return runCommandHere(args, { DATA_DIR: running.app.settings.dataDir });
}

async function resultOf(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

it("`tributary connector add` refuses a source that cannot be read, with the name of the option", async () => {
  const manifest = join(SHOP, "manifest.jsn");
  expect(await run("connector", "add", "dbt", "--name", "typo", "--option", `manifest=${manifest}`)).toEqual({
    code: 2,
    stdout: "",
    stderr: `options.manifest: there is no file manifest.jsn in ${SHOP.replace(/\/$/, "")}\n`,
  });
  await resultOf("connector", "add", "dbt", "--no-test", "--name", "typo", "--option", `manifest=${manifest}`);
  expect(await run("connector", "test", "typo")).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^error: manifest: there is no file manifest\.jsn/),
  });
  await resultOf("connector", "edit", "typo", "--option", `manifest=${join(SHOP, "manifest.json")}`);
  expect(await resultOf("connector", "test", "typo")).toBe("The source of typo can be read.\n");
});

it("The help of `tributary connector add` separates each option from its meaning", async () => {
  const help = await resultOf("connector", "edit", "--help");
  const options = help.slice(help.indexOf("\nOptions of dbt")).match(/^ {2}.*$/gm) ?? [];
  expect(options.length).toBeGreaterThan(30);
  expect(options.filter((line) => !/^ {2}[a-z_]+ {2,}\S/.test(line))).toEqual([]);
});

it("The command line renames, disables, enables and removes a connector", async () => {
  await resultOf("connector", "rename", "typo", "fixed");
  await resultOf("connector", "disable", "fixed");
  expect(await resultOf("connector", "list")).toMatch(/^fixed +con_\w+ +dbt +disabled +never +none +when asked to$/m);
  expect(await run("sync", "fixed")).toMatchObject({ code: 1, stderr: expect.stringContaining("fixed is disabled") });
  await resultOf("connector", "enable", "fixed");
  expect(await run("connector", "remove", "fixed")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--yes"),
  });
  expect(await resultOf("connector", "remove", "fixed", "--yes")).toMatch(/^Removed fixed and 0 assets/);
  expect(await run("connector", "remove", "fixed", "--yes")).toMatchObject({ code: 1 });
});

it("`tributary connector schedule` sets a schedule, keeps the parts that are not given, and removes it", async () => {
  const schedule = async () =>
    /^shop .* {2}(\S.*\)|none) {2,}(\S+(?: \S+)*)$/m.exec(await resultOf("connector", "list"));
  await resultOf("connector", "edit", "shop", "--schedule", "0 6 * * *", "--time-zone", "Europe/Berlin");
  expect((await schedule())?.[1]).toBe("0 6 * * * (Europe/Berlin)");
  await resultOf("connector", "edit", "shop", "--schedule", "0 7 * * *", "--removal-share", "60");
  expect((await schedule())?.slice(1)).toEqual([
    "0 7 * * * (Europe/Berlin)",
    expect.stringMatching(/T0[56]:00:00.000Z$/),
  ]);
  await resultOf("connector", "edit", "shop", "--time-zone", "UTC");
  expect((await schedule())?.[1]).toBe("0 7 * * * (UTC)");
  expect(await run("connector", "edit", "shop", "--schedule", "at seven")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("five fields"),
  });
  await resultOf("connector", "edit", "shop", "--no-schedule");
  expect((await schedule())?.slice(1)).toEqual(["none", "when asked to"]);
  expect(await run("connector", "edit", "shop")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("nothing to change"),
  });
});

it("`tributary sync` says that it answers with an earlier sync, its age, and how to start a new one", async () => {
  expect(await run("sync", "shop", "--force", "--wait")).toMatchObject({ code: 0 });
  const { code, stdout, stderr } = await run("sync", "shop", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ status: "completed" });
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(
      /^This sync was queued \d+ (s|min) ago; it is completed\. --force starts a new one\.\n$/,
    ),
  });
});

it("The command line cancels a sync by its id, or the newest sync of a connector", async () => {
  expect(await run("sync", "cancel", "shop")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/has already completed/),
  });
  expect(await run("sync", "cancel", "syn_none")).toMatchObject({ code: 1, stderr: expect.stringMatching(/No sync/) });
});

it("The command line edits an asset, and restores the source's values", async () => {
  const edited = await resultOf("asset", "edit", "fct_orders", "--description", "Ours.", "--tag", "core", "b");
  expect(edited).toMatch(/^description +Ours\. +command line +\S+Z$/m);
  expect(edited).toMatch(/^tags +core, b +command line/m);
  const reset = await resultOf("asset", "edit", "fct_orders", "--reset", "description", "tags");
  expect(reset).toMatch(/^description +(?!Ours).* +command line \(reset\) +\S+Z$/m);
  expect(await run("asset", "edit", "fct_orders")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Say what/),
  });
});

it("One command removes the sample", async () => {
  expect(await resultOf("connector", "remove", "shop", "--yes")).toMatch(/^Removed shop and \d{2,} assets/);
  expect(await run("metric", "list")).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringMatching(/^No metrics\./),
  });
  expect(await run("connector", "list")).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringMatching(/^No connectors\./),
  });
});
