/** `tributary impact` beside a running server, on its data folder: its reports, its exit codes and its refusals. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, it } from "vitest";

import { type RunningApp, startApp } from "../support/app.ts";
import { type Ended, runCommandHere } from "../support/command-line.ts";
import { editUncompiled, dropAmount, model, renameAmount, writeShop } from "../support/edited-shop.ts";

let app: RunningApp;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tributary-cli-impact-test-"));
  app = await startApp({ sample: true });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

function run(...args: string[]): Promise<Ended> {
  return runCommandHere(["impact", ...args], { DATA_DIR: app.app.settings.dataDir, PORT: "0" });
}

it("`tributary impact` ends with 1 if a risk reaches the bar, and else with 0", async () => {
  const path = writeShop(folder, "dropped", dropAmount);
  const crossed = await run("--manifest", path, "--against", "shop", "--fail-on", "high");
  expect(crossed).toMatchObject({ code: 1, stderr: "Something is at high risk.\n" });
  expect(crossed.stdout).toMatch(
    /^Fails: \d models? cannot be built and 23 assets and metrics are at high risk\.\n1 change affects 27 assets and metrics \(23 high, 4 medium\) with 30 columns: 4 dashboards, .*; \d+ certifications would lapse\.\n/,
  );
  expect(crossed.stdout).toMatch(/^1 +column dropped +shop\.staging\.stg_stripe__refunds\.amount/m);
  const same = ["--manifest", writeShop(folder, "same"), "--against", "shop", "--fail-on", "low"];
  expect(await run(...same)).toEqual({
    code: 0,
    stdout: "Passes: no change was found.\n",
    stderr: "",
  });
});

it("`tributary impact` writes Markdown for a pull request, with all tables folded", async () => {
  const path = writeShop(folder, "renamed", renameAmount);
  const { code, stdout } = await run("--manifest", path, "--against", "shop", "--format", "markdown");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^### Impact on `shop`\n\n1 change affects /);
  expect(stdout).toMatch(/\| column renamed \| `shop\.staging\.stg_stripe__refunds\.amount` \| `refund_amount` \|/);
  expect(stdout).toMatch(/<details><summary>27 affected<\/summary>\n\n\| risk \|/);
  expect(stdout).toMatch(/\| \*\*high\*\* \| certified metric `shop\.net_revenue` \|/);
  expect(stdout).toMatch(
    /\*\*Who must be told:\*\* `ines\.moreau@example\.com` \(\d+ high, 1 medium, 2 not refreshed(, \d+ with other values)?, \d+ to certify again\), /,
  );
  expect(stdout.length).toBeLessThan(65_536);
});

it("`tributary impact` assesses one change of one asset, by its name or its id", async () => {
  const drop = ["--change", "column_drop", "--format", "json"];
  const byName = await run("shop.raw_stripe.refunds.amount", ...drop);
  expect(byName).toMatchObject({ code: 0, stderr: "" });
  const report = JSON.parse(byName.stdout);
  expect(report.changes).toMatchObject([{ kind: "named", change_type: "column_drop", confidence: 1 }]);
  expect((await run(report.changes[0].asset_id, ...drop)).stdout).toBe(byName.stdout);
  const wider = await run("shop.raw_stripe.refunds.amount", "--change", "type_change", "--new-type", "numeric");
  expect(wider.stdout).toMatch(
    /^1 change affects 28 assets and metrics \(28 low\) with 31 columns: 4 dashboards, .*\.\n/,
  );
});

it.each([
  ["nothing", [], 2, /^What to assess\? /],
  ["a manifest without a connector", ["--manifest", "m.json"], 2, /go together/],
  ["a manifest and an asset", ["x", "--manifest", "m.json", "--against", "shop"], 2, /go together/],
  ["an asset without a change", ["x"], 2, /^What to assess\? /],
  ["an unknown change", ["x", "--change", "explode"], 2, /Allowed choices are column_rename/],
  ["an unknown bar", ["x", "--change", "deprecate", "--fail-on", "red"], 2, /Allowed choices are high/],
  ["a change that cannot happen", ["shop.board_revenue", "--change", "column_drop"], 2, /^changeType: /],
  ["a missing manifest", ["--manifest", "/gone.json", "--against", "shop"], 2, /\/gone\.json/],
  ["an unknown asset", ["nowhere", "--change", "deprecate"], 1, /^There is no asset or metric nowhere\./],
  ["an unknown connector", ["--manifest", "m.json", "--against", "none"], 1, /^There is no connector none /],
])("`tributary impact` is refused if it is given %s", async (_what, args, code, message) => {
  expect(await run(...args)).toEqual({ code, stdout: "", stderr: expect.stringMatching(message) });
});

it("`tributary impact` refuses a manifest of another project and an uncompiled one, instead of finding nothing in them", async () => {
  const foreign = writeShop(folder, "foreign", (manifest) => {
    manifest.nodes = {};
    manifest.sources = {};
  });
  const parsed = writeShop(folder, "parsed", (manifest) => {
    for (const node of Object.values(manifest.nodes)) node.compiled_code = null;
  });
  for (const [path, why] of [
    [foreign, /^manifest: contains none of the \d+ tables and models of shop: it is another project's\n$/],
    [parsed, /^manifest: contains no compiled SQL; run dbt compile first\n$/],
  ] as const) {
    const { code, stdout, stderr } = await run("--manifest", path, "--against", "shop", "--fail-on", "high");
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: expect.stringMatching(why) });
  }
});

it("`tributary impact` says in the first line that something could not be compared", async () => {
  const path = writeShop(folder, "torn", (manifest) => {
    editUncompiled(model(manifest, "stg_stripe__refunds"));
  });
  const { code, stdout } = await run("--manifest", path, "--against", "shop");
  expect({ code, line: stdout.split("\n")[0] }).toEqual({
    code: 0,
    line: "No change was found; 1 model could not be read: `shop.staging.stg_stripe__refunds`.",
  });
});

it("`tributary impact` refuses a catalog that cannot be read, instead of comparing without it", async () => {
  const torn = join(folder, "torn.json");
  writeFileSync(torn, "{");
  const same = ["--manifest", writeShop(folder, "same"), "--against", "shop"];
  expect(await run(...same, "--catalog", torn)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^catalog: catalog\.json is not complete JSON.* \(\/.*\/torn\.json\)\n$/),
  });
});

it("`tributary impact` tells the operator where it looked for a manifest", async () => {
  expect(await run("--manifest", join(folder, "nowhere.json"), "--against", "shop")).toMatchObject({
    code: 2,
    stderr: `manifest: manifest.json cannot be found. (${join(folder, "nowhere.json")})\n`,
  });
});
