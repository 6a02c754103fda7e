/** Looking things up on the command line: what people read, and the JSON that programs read. */
import { execFileSync, spawnSync } from "node:child_process";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type RunningApp, startApp } from "../support/app.ts";
import { runCommandHere } from "../support/command-line.ts";
import { runEvent } from "../support/lineage-events.ts";
import { at, createRestClient } from "../support/rest-client.ts";

let running: RunningApp;
beforeAll(async () => {
  // An event is shown when it is answered, however slow the machine is.
  running = await startApp({ sample: true, overrides: { countdown: () => () => {} } });
});
afterAll(() => running.close());

async function run(...args: string[]): Promise<string> {
  const ended = await runCommandHere(args, { TRIBUTARY_URL: running.url, TRIBUTARY_TOKEN: running.token });
  expect(ended).toMatchObject({ code: 0 });
  return ended.stdout;
}
const runJson = async (...args: string[]): Promise<unknown> => JSON.parse(await run(...args, "--json"));

describe("tributary search", () => {
  it("finds assets and metrics by words, and by filters alone", async () => {
    const words = await run("search", "net", "revenue");
    expect(words).toMatch(/^metric +shop\.net_revenue +certified/m);
    expect(words).toMatch(/^column +shop\.marts\.fct_orders\.net_revenue_eur/m);
    const models = await runJson("search", "--type", "model", "--schema", "shop.marts", "--limit", "200");
    expect(models).toContainEqual(expect.objectContaining({ type: "model", fqn: "shop.marts.fct_orders" }));
    expect(JSON.stringify(models)).not.toContain('"type":"column"');
    expect(await runJson("search", "revenue", "--type", "metric")).toContainEqual(
      expect.objectContaining({ name: "net_revenue" }),
    );
  });

  it("leaves out metrics that have only some of the words if a column has all of them", async () => {
    const [first, ...others] = (await run("search", "fct_orders", "net_revenue_eur")).split("\n").slice(1);
    expect(first).toMatch(/^column +shop\.marts\.fct_orders\.net_revenue_eur/);
    expect(others.join("\n")).not.toMatch(/^metric/m);
    expect(await run("search", "net", "margins")).toMatch(/^metric/m);
  });

  it("finds what has no owner, by the word none", async () => {
    const found = await runJson("search", "--owner", "none", "--type", "column", "table", "--limit", "5");
    const { body } = await createRestClient(running)("/api/v1/catalog/assets?unowned=true&type=column&limit=5");
    expect(at(body, "data")).not.toEqual([]);
    expect(found).toMatchObject((at(body, "data") as { id: string }[]).map(({ id }) => ({ id, owner: null })));
  });

  it("says how many there are if it shows fewer", async () => {
    const env = { TRIBUTARY_URL: running.url, TRIBUTARY_TOKEN: running.token };
    const { stderr } = await runCommandHere(["search", "--type", "model", "--limit", "1"], env);
    expect(stderr).toMatch(/^Shown: 1 of \d+\. --limit shows more, filters show fewer\.$/m);
    // Of the metrics and the assets together.
    const both = await runCommandHere(["search", "revenue", "--limit", "3"], env);
    expect(both.stdout.trim().split("\n").slice(1)).toHaveLength(3);
    expect(both.stdout).toMatch(/^metric [^]*^(column|model|dashboard) /m);
    expect(both.stderr).toMatch(/^Shown: 3 of \d+\./m);
  });
});

describe("tributary show", () => {
  it("shows an asset by its name, with its columns", async () => {
    const text = await run("show", "fct_orders");
    expect(text).toMatch(/^model +shop\.marts\.fct_orders$/m);
    expect(text).toMatch(/^owner +commerce-analytics@example\.com$/m);
    expect(text).toMatch(/^net_revenue_eur +numeric/m);
    expect(await runJson("show", "shop.marts.fct_orders")).toMatchObject({
      fqn: "shop.marts.fct_orders",
      columns: expect.arrayContaining([expect.objectContaining({ name: "net_revenue_eur" })]),
    });
  });

  it("shows a metric with its definition, by either of its names", async () => {
    expect(await run("show", "Orders of new customers")).toMatch(/^metric +shop\.new_customer_orders$/m);
    expect(await run("show", "net_revenue")).toMatch(/^definition +gross_revenue - refunded_amount by day$/m);
  });
});

describe("tributary lineage", () => {
  it("walks either way, and shows only some types", async () => {
    const boards = await run("lineage", "fct_orders", "--depth", "10", "--type", "dashboard");
    expect(boards.split("\n").slice(1, 2)).toEqual([expect.stringMatching(/^1 +dashboard +\S+/)]);
    expect(await run("lineage", "raw_meta_ads.ad_insights", "--type", "dashboard")).toMatch(/^4 +dashboard/m);
    const sources = await runJson("lineage", "fct_orders", "--direction", "upstream", "--depth", "1");
    expect(sources).toHaveLength(3);
  });

  it("says that there is more behind its depth", async () => {
    const env = { TRIBUTARY_URL: running.url, TRIBUTARY_TOKEN: running.token };
    const { stderr } = await runCommandHere(["lineage", "fct_orders", "--direction", "upstream", "--depth", "1"], env);
    expect(stderr).toContain("There is more behind 1 hop; --depth goes up to 10.");
  });
});

describe("tributary ask", () => {
  it("answers a question", async () => {
    expect(await run("ask", "Who", "owns", "fct_orders?")).toContain("commerce-analytics@example.com");
    expect(await runJson("ask", "Who owns fct_orders?")).toMatchObject({
      confidence: expect.any(Number),
      citations: [expect.objectContaining({ assetName: "fct_orders" })],
    });
  });
});

describe("what commands print", () => {
  it("is JSON for a list, for what was made, and for what was changed", async () => {
    const made = await runJson("key", "create", "--name", "mine");
    expect(made).toMatchObject({ token: expect.stringMatching(/^svc_live_/) });
    const keys = (await runJson("key", "list")) as { id: string; name: string }[];
    const id = keys.find(({ name }) => name === "mine")?.id ?? "";
    expect(await run("key", "rename", id, "yours")).toBe("The key is renamed.\n");
    expect(await runJson("key", "revoke", id)).toBeTypeOf("object");
    expect(await run("limits", "set", "--per-minute", "900")).toBe("The limit is set.\n");
    expect(await runJson("limits", "show")).toMatchObject({ rateLimitPerMinute: 900 });
    expect(await runJson("connector", "list")).toMatchObject([{ name: "shop" }]);
  });

  it("is a sentence about a sync, unless JSON is asked for", async () => {
    expect(await run("sync", "shop", "--force", "--wait")).toMatch(
      /^syn_\w+ completed after [\d.]+ s: \d+ assets found, \d+ of them new or changed; results of checks are not counted\.\n/,
    );
    expect(await run("sync", "shop", "--force")).toMatch(/^syn_\w+ is queued\. The last one took [\d.]+ s\.\n$/);
    await run("sync", "shop", "--force", "--wait");
    expect(await run("sync", "shop")).toMatch(/^syn_\w+ is completed\.\n$/);
    expect(await runJson("sync", "shop")).toMatchObject({ status: "completed", mode: expect.any(String) });
  });
});

describe("a list that is empty", () => {
  it("is a sentence that says of what there is none and what to do, and the empty list as JSON", async () => {
    const env = { TRIBUTARY_URL: running.url, TRIBUTARY_TOKEN: running.token };
    for (const [words, sentence] of [
      [["account", "list"], "No service accounts. `tributary account create` makes one."],
      [["allowlist", "show"], "No networks: tokens are accepted from anywhere. `tributary allowlist set` names some."],
      [["search", "xyzzyplugh"], "Nothing was found. Use fewer words or filters, or sync a connector first."],
    ] as const) {
      expect(await runCommandHere(words, env)).toMatchObject({ code: 0, stdout: "", stderr: `${sentence}\n` });
      expect(await runJson(...words)).toEqual([]);
    }
  });
});

async function completeInBash(): Promise<(...words: string[]) => string[]> {
  const script = await run("completion", "bash");
  return (...words) => {
    const given = words.map((word) => `'${word}'`).join(" ");
    const ask = `COMP_WORDS=(tributary ${given}); COMP_CWORD=${words.length}; _tributary; echo "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["-c", `${script}\n${ask}`], { encoding: "utf8" })
      .trim()
      .split(" ");
  };
}

function hasProgram(name: string): boolean {
  return spawnSync(name, ["--version"]).status === 0;
}

describe("tributary completion", () => {
  it("completes commands, subcommands and options in bash", async () => {
    const complete = await completeInBash();
    expect(complete("con")).toEqual(["connector"]);
    expect(complete("connector", "re")).toEqual(["reception", "rename", "remove"]);
    expect(complete("connector", "add", "--na")).toEqual(["--name"]);
    expect(complete("search", "--json", "revenue", "--own")).toEqual(["--owner"]);
    expect(complete("sync", "ca")).toEqual(["cancel"]);
  });

  it("completes the values of options and arguments in bash", async () => {
    const complete = await completeInBash();
    expect(complete("search", "--type", "")).toEqual(["table", "model", "dashboard", "pipeline", "column", "metric"]);
    expect(complete("search", "revenue", "--sort", "u")).toEqual(["updated", "usage"]);
    expect(complete("search", "--type", "model", "--ow")).toEqual(["--owner"]);
    expect(complete("account", "role", "loader", "eng")).toEqual(["engineer"]);
    expect(complete("completion", "f")).toEqual(["fish"]);
  });

  it.skipIf(!hasProgram("fish"))("completes commands, options, values and files in fish", async () => {
    const script = await run("completion", "fish");
    const complete = (line: string): string[] =>
      execFileSync("fish", ["--no-config", "-c", `${script}\ncomplete -C '${line}'`], {
        encoding: "utf8",
        stdio: "pipe",
      })
        .trim()
        .split("\n");
    expect(complete("tributary con")).toEqual(["connector"]);
    expect(complete("tributary connector re")).toEqual(["reception", "remove", "rename"]);
    expect(complete("tributary search --json revenue --own")).toEqual(["--owner"]);
    expect(complete("tributary search --type da")).toEqual(["dashboard"]);
    expect(complete("tributary restore READ")).toEqual(["README.md"]);
  });

  it.skipIf(!hasProgram("zsh"))("completes commands, options and values in zsh", async () => {
    // What would be offered is told by a compadd of our own.
    const script = `compdef() { :; }; compadd() { shift; print -l -- \${(M)@:#\${words[CURRENT]}*}; }\n${await run("completion", "zsh")}`;
    const complete = (...words: string[]): string[] => {
      const given = words.map((word) => `'${word}'`).join(" ");
      const ask = `words=(tributary ${given}); CURRENT=${words.length + 1}; _tributary`;
      return execFileSync("zsh", ["-f", "-c", `${script}\n${ask}`], { encoding: "utf8", stdio: "pipe" })
        .trim()
        .split("\n");
    };
    expect(complete("con")).toEqual(["connector"]);
    expect(complete("search", "--json", "revenue", "--own")).toEqual(["--owner"]);
    expect(complete("search", "--type", "da")).toEqual(["dashboard"]);
  });
});

// Last, because the event makes a connector.
describe("a column that is in no list of columns", () => {
  it("`tributary show` marks a column that is in no list of columns", async () => {
    const on = { namespace: "postgres://db", name: "shop.marts.fct_orders" };
    const fields = { total: { inputFields: [{ ...on, field: "no_longer_there" }] } };
    const copied = { namespace: "postgres://db", name: "shop.copies.orders", facets: { columnLineage: { fields } } };
    const event = runEvent({ inputs: [on], outputs: [copied] });
    const { status } = await createRestClient(running)("/api/v1/lineage", {
      method: "POST",
      body: JSON.stringify(event),
    });
    expect(status).toBe(201);
    const text = await run("show", "shop.marts.fct_orders");
    expect(text).toMatch(/^no_longer_there \(inferred\)$/m);
    expect(text).toMatch(/^net_revenue_eur +numeric/m);
  });
});
