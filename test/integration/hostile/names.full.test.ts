/** Names from a source or from arguments that try to deceive a reader in a terminal. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { isPlainLine } from "../../../src/plain-text.ts";
import { type Ended, runCommand, runCommandHere } from "../../support/command-line.ts";
import { entries, manifest } from "../../unit/connectors/dbt/project.ts";

const BIDI = "\u202e";
const TRICK = `\u009b31m${BIDI}\u001b]0;owned\u0007`;

let folder: string;
const settings = () => ({ DATA_DIR: join(folder, "data"), PORT: "0", SAMPLE: "off" });
const run = (...args: string[]): Promise<Ended> => runCommandHere(args, settings());

/** The lines that hold a control character. */
function tricky({ stdout, stderr }: Ended): string[] {
  return `${stdout}\n${stderr}`.split("\n").filter((line) => !isPlainLine(line));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tributary-names-"));
  const nodes = entries({
    "model.shop.orders": { name: `orders${BIDI}`, compiled_code: "select 1 as a" },
    "model.shop.report": { group: "team", depends_on: { nodes: ["model.shop.orders"] } },
  });
  const groups = { "group.shop.team": { name: "team", owner: { name: `Ann ${TRICK}` } } };
  const path = join(folder, "manifest.json");
  writeFileSync(path, JSON.stringify(manifest({ nodes, groups })));
  await run("workspace", "create", "names");
  await run("connector", "add", "dbt", "--name", "shop", "--option", `manifest=${path}`);
  await run("sync", "shop", "--wait");
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("control characters on the command line", () => {
  it.each(["table", "json", "markdown"])(
    "The command line writes no control character in an impact as %s",
    async (format) => {
      const fqn = `wh.mart.orders${BIDI}`;
      const ended = await run("impact", fqn, "--change", "deprecate", "--format", format);
      expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining("orders\\u202e") });
      expect(tricky(ended)).toEqual([]);
    },
  );

  it.each([
    ["(nothing)", `frobnicate${TRICK}`],
    ["key", "key", `list${TRICK}`],
    ["key list", "key", "list", `--${TRICK}`],
    ["key create --name", "key", "create", "--name", TRICK],
    ["key list --workspace", "key", "list", "--workspace", `a\nb${TRICK}`],
    ["sync", "sync", TRICK],
    ["sync --mode", "sync", "shop", "--mode", TRICK],
    ["person role", "person", "role", TRICK, "admin"],
    ["person create --email", "person", "create", "--email", `a${TRICK}@example.com`, "--role", "admin"],
    ["metric certify", "metric", "certify", TRICK],
    ["impact", "impact", TRICK, "--change", "deprecate"],
    ["connector add", "connector", "add", TRICK, "--name", "x"],
    ["connector add --name", "connector", "add", "dbt", "--name", TRICK, "--option", "manifest=x"],
    [
      "connector add --option",
      "connector",
      "add",
      "dbt",
      "--name",
      "x",
      "--option",
      `manifest=x`,
      "--option",
      `${TRICK}=x`,
    ],
    ["workspace create", "workspace", "create", TRICK],
    ["allowlist set", "allowlist", "set", TRICK],
  ])(
    "The command line writes no control character of the arguments that it refuses: tributary %s",
    async (_, ...args) => {
      const ended = await run(...args);
      expect(ended.code).toBeGreaterThan(0);
      expect(ended.stderr).not.toBe("");
      expect(tricky(ended)).toEqual([]);
    },
  );

  it("The command line writes no control character in its log", async () => {
    const path = join(folder, `${TRICK}.json`);
    await run("connector", "add", "dbt", "--no-test", "--name", "tricky", "--option", `manifest=${path}`);
    // The log is written directly, not through this process's standard error.
    const ended = await runCommand(["sync", "tricky", "--wait"], settings());
    expect(tricky(ended)).toEqual([]);
    const [line = ""] = ended.stderr.split("\n");
    expect(JSON.parse(line)).toMatchObject({ location: path, code: "not_found" });
    expect(ended.stdout).not.toContain(folder);
  });
});
