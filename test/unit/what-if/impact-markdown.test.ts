import type { ChangedNode } from "../../../src/catalog/changes/change.ts";
import fc from "fast-check";
import { marked, type Token, type Tokens } from "marked";
import { describe, expect, it } from "vitest";

import { nameChange, type Uncompared, UNOWNED } from "../../../src/catalog/change-set/change.ts";
import type { AffectedState, JointlyAffected } from "../../../src/catalog/change-set/join-impact.ts";
import { groupAssets } from "../../../src/catalog/impact/affected-assets.ts";
import { groupUnrefreshed, NONE_UNREFRESHED } from "../../../src/catalog/impact/unrefreshed.ts";
import { toConnectorId, toNodeId } from "../../../src/ids.ts";
import { toImpactMarkdown } from "../../../src/what-if/impact-markdown.ts";
import { NOTHING_REWRITTEN } from "../../../src/what-if/rewritten.ts";
import type { WhatIfReport } from "../../../src/what-if/what-if.ts";
import { atDepth, propertyRuns } from "../../support/depth.ts";

const NONE = { total: 0, high: 0, medium: 0, low: 0 };

function modelNamed(name: string): ChangedNode {
  return { id: toNodeId(name), name, fqn: name, type: "model", parentId: null };
}

function reportOf(
  names: readonly string[],
  state: AffectedState = "affected",
  type: "dashboard" | "metric" | "pipeline" | "model" = "model",
): WhatIfReport {
  const node = { type, certification: "none", risk: "high", hops: 1 } as const;
  const change = nameChange(
    { id: toNodeId("x"), name: "x", fqn: names[0] ?? "x", type: "column", dataType: "", ...UNOWNED },
    "column_drop",
    "",
  );
  const affected = names.map((name) => {
    const told = {
      id: toNodeId(name),
      parentId: null,
      name,
      fqn: name,
      reason: `it reads ${name}, \`a_b\` too`,
      owner: "",
      ownerName: name,
      usage: null,
    };
    return { state, changes: [0], impact: { ...node, ...told, path: [], evidence: [] } };
  });
  const unrefreshed = names.map((name) => {
    const reason = `Dashboard \`${name}\` reads \`x\`, which cannot be built.`;
    return {
      id: toNodeId(`old ${name}`),
      name,
      fqn: name,
      type: "dashboard",
      owner: "",
      ownerName: name,
      reason,
    } as const;
  });
  return {
    changes: [{ ...change, summary: NONE, assets: { ...NONE, columns: 0, types: [] } }],
    summary: { total: names.length, high: names.length, medium: 0, low: 0 },
    adapted: 0,
    dropped: 0,
    affected,
    groups: groupAssets(state === "affected" ? affected.map(({ impact }) => impact) : []),
    owners: names.map((ownerName) => ({ owner: "", ownerName, ...NONE, total: 1, high: 1 })),
    against: "shop",
    checks: {
      total: names.length,
      wouldFail: names.map((name) => ({ id: name, name, kind: "generic", assetId: "x", reason: `it needs ${name}` })),
      truncated: false,
      unbuilt: names.map((name) => {
        return { id: toNodeId(name), name, fqn: name, type: "model", owner: "", ownerName: name, change: 0 };
      }),
      skipped: { models: names.length, checks: 1 },
      unrefreshed: { groups: groupUnrefreshed(unrefreshed), nodes: unrefreshed, truncated: false },
    },
    lineage: {
      nodes: names.map((name) => ({ difference: "added", node: modelNamed(name), details: [] })),
      edges: names.map((name) => {
        return { difference: "removed", from: modelNamed(name), to: modelNamed(name), before: ["derives"], after: [] };
      }),
      truncated: false,
    },
    rewritten: NOTHING_REWRITTEN,
    lapses: {
      total: names.length,
      truncated: false,
      metrics: names.map((name) => {
        return {
          id: toNodeId(name),
          name,
          fqn: name,
          owner: "",
          ownerName: name,
          certifiedBy: "cfo@acme.example",
          reason: `${name} is now \`${name}\``,
        };
      }),
    },
    uncompared: names.map((object) => ({ object, message: `${object} keeps what it has`, unread: null })),
    coverage: {
      connectors: [toConnectorId("c")],
      gaps: names.map((id) => ({ id: toNodeId(id), reason: `SQL of ${id} could not be read` })),
      gapsTotal: names.length,
    },
    asOf: "2026-05-01T08:00:00.000Z",
    truncated: false,
  };
}

function torn(name: string, unread: "model" | "object" = "model"): Uncompared {
  return { object: name, message: "too large", unread };
}

/** Texts with a meaning in GitHub's or GitLab's Markdown, in pieces that can be combined. */
const PIECES = [
  ..."`|\\@#!$%&~^*_[]()<>{}:;.,/-+=\"' \t\n\r",
  "``",
  "\\|",
  "\\`",
  "`|",
  "<!--",
  "-->",
  "</details>",
  "&#64;",
  "&lt;",
  "://",
  "\u2028",
  "\u200b",
  "\u202e",
  "@org/team",
  "org/repo#1",
  "#12",
  "GH-12",
  "JIRA-7",
  "http://x.yz",
  "www.x.yz",
  "a@b.cd",
  "<b>",
  "<a@b.cd>",
  "$x$",
  "![i](//x.yz)",
  "[l]: //x.yz",
  "[l]",
  ":tada:",
  "!7",
  '%"v1"',
  "~bug",
  "&9",
  "[[wiki]]",
  "0123abc",
  "a",
  "é",
  "名",
  "1",
];
const anyName = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(""));

/** The HTML of the report's own folds. */
const OUR_HTML = /^<\/?(?:details|summary)>\n*$|^<details><summary>\d+ [a-z ]+<\/summary>\s*$/;
const OUR_TYPES = new Set([
  "heading",
  "paragraph",
  "list",
  "list_item",
  "table",
  "text",
  "codespan",
  "strong",
  "space",
  "html",
  "escape",
]);
/** Text that is still a mention, a reference, a link or an emoji. */
const ALIVE = /[&@~^$*_\\<>{}[\]|`]|[#!]\S|[:/][\p{L}\d/]|www\.|\p{L}-\d|[\da-f]{7}/iu;

/** Everything except text and code that a renderer would make of the Markdown. */
function foundAlive(markdown: string): string[] {
  const found: string[] = [];
  marked.walkTokens(marked.lexer(markdown), (token) => {
    const { type, raw } = token;
    const isOurs = OUR_TYPES.has(type) && (type !== "html" || OUR_HTML.test(raw));
    const text = type === "text" && !("tokens" in token) ? raw.replaceAll("&#8203;", "") : "";
    if (!isOurs || ALIVE.test(text)) found.push(`${type}: ${raw}`);
  });
  return found;
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === "table";
}

function tablesOf(markdown: string): Tokens.Table[] {
  return marked.lexer(markdown).filter(isTable);
}

/** Counts cells as GitHub does: a backslash escapes the bar or the backslash behind it. */
function cellsIn(line: string): number {
  return (line.replace(/\\[|\\]/g, "").match(/\|/g)?.length ?? 0) - 1;
}

describe("Reports as Markdown", () => {
  it("A Markdown report tells dashboards, checks, lapses and owners in at most 15 lines, and folds the rest", () => {
    const many = Array.from({ length: 30 }, (_, i) => `board_${i}`);
    const [top = "", ...folds] = toImpactMarkdown(reportOf(many, "affected", "dashboard"), "high", "https://x/y").split(
      "<details>",
    );
    expect(top.trimEnd().split("\n").length).toBeLessThanOrEqual(15);
    expect(top).toContain("- **30 dashboards:** `board_0` (high, `board_0`), `board_1` (high, `board_1`), ");
    expect(top).toContain("`board_7` (high, `board_7`), 22 more\n- **Checks that would fail:** `board_0`, ");
    expect(top).toMatch(
      /^### ❌ Fails: 30 models cannot be built, 30 assets and metrics are at high risk and 30 checks/,
    );
    expect(top).toContain("\n- **Change:** column drop: `board_0`\n- **Do first:** `board_0`, `board_1`, ");
    expect(top).toContain(" Until then, dbt would skip 30 models that are built from them and 1 check; `board_0`, ");
    const one = toImpactMarkdown(reportOf(["a"]), "high");
    const report = reportOf(["a"]);
    const ofPipeline = report.changes.map((change) => Object.assign({}, change, { type: "pipeline" as const }));
    expect(toImpactMarkdown({ ...report, changes: ofPipeline }, "high")).toContain(
      "**Do first:** `a` is filled by `x`: keep that, or fill it in another way.",
    );
    expect(one).toContain("skip 1 model that is built from it and 1 check;");
    expect(one).toContain("<summary>1 check would fail</summary>");
    expect(top).toContain("`board_4` and 25 more would not be refreshed.\n");
    expect(top).toContain("25 more still read `x`: remove it there, or keep the column. ");
    expect(top).toContain(
      "\n- **30 certifications would lapse, to be certified again after the merge:** `board_0`, certified by `cfo@acme.example`: `board_0`; ",
    );
    expect(top).toContain("\n- **Who must be told:** `board_0` (1 high, 1 not refreshed, 1 to certify again), ");
    expect(top).toContain("[The whole answer in the workspace](https://x/y), kept for 90 days");
    expect(folds.map((fold) => /<summary>(.*)<\/summary>/.exec(fold)?.[1])).toEqual([
      "1 change",
      "30 affected",
      "30 will not be refreshed",
      "30 checks would fail",
      "30 certifications would lapse",
      "30 not compared in full",
      "30 without all of its lineage",
      "60 changes of the lineage",
    ]);
  });

  it("A Markdown report begins with at most 15 lines, however many kinds of things there are to tell", () => {
    const types = ["dashboard", "metric", "pipeline", "model"] as const;
    const reports = types.map((type) =>
      reportOf(
        ["a", "b"].map((name) => `${type}_${name}`),
        "affected",
        type,
      ),
    );
    const affected = reports.flatMap((each) => each.affected);
    const [report = reportOf([])] = reports;
    const markdown = toImpactMarkdown(
      {
        ...report,
        changes: Array.from({ length: 5 }, () => report.changes).flat(),
        checks: {
          ...report.checks,
          unbuilt: Array.from({ length: 5 }, (_, i) =>
            report.checks.unbuilt.map((each) => ({ ...each, change: i })),
          ).flat(),
        },
        affected,
        groups: groupAssets(affected.map(({ impact }) => impact)),
        truncated: true,
      },
      "medium",
      "https://x/y",
    );
    const [top = ""] = markdown.split("<details>");
    expect(top.trimEnd().split("\n").length).toBe(15);
    expect(top).toMatch(
      /^### ❌ Fails: 2 models cannot be built, 8 assets .* at medium risk or worse, 2 checks .* and 2 cert/,
    );
    expect(top).toContain("`dashboard_a` (3 more)\n- **Do first:** ");
    expect(top).toContain(" 3 more. Until then, dbt would skip ");
    expect(toImpactMarkdown(report, null)).toMatch(/^### Impact on `shop`\n\n1 change affects 2 assets and metrics/);
  });

  it("A passing Markdown report says who must certify again, and sums up what is adapted", () => {
    const adapted = reportOf(["a", "b"], "adapted");
    const none = { ...adapted.checks, total: 0, wouldFail: [], unbuilt: [], skipped: { models: 0, checks: 0 } };
    none.unrefreshed = NONE_UNREFRESHED;
    const markdown = toImpactMarkdown({ ...adapted, summary: NONE, checks: none, uncompared: [] }, "high");
    expect(markdown).toMatch(
      /^### ✅ Passes: nothing is at high risk, but 2 certifications would lapse, to be certified again after the merge\n/,
    );
    expect(markdown).toContain(
      "`shop`: 1 change, and no other asset or metric reads what it changes; 2 certifications would lapse; 2 assets and metrics adapted in",
    );
    expect(markdown).toContain("<details><summary>2 assets and metrics adapted in this change set</summary>");
    expect(markdown).toContain("| 2 models | `a`, `b` |");
  });

  it("A Markdown report that passes says first what could not be read, apart from what is only not known", () => {
    const nothing = reportOf([], "adapted");
    const report = { ...nothing, changes: [], coverage: { connectors: [], gaps: [], gapsTotal: 0 } };
    const untyped = { object: "", message: "the new types of 3 columns are not known", unread: null };
    const headingOf = (...uncompared: Uncompared[]): string | undefined =>
      toImpactMarkdown({ ...report, uncompared }, "high").split("\n")[0];
    expect(headingOf(untyped)).toBe("### ✅ Passes: no change was found");
    expect(headingOf(untyped, torn("a.b"))).toBe("### ⚠ Passes as far as compared: 1 model could not be read: `a.b`");
    expect(headingOf(torn("a"), torn("<b>", "object"))).toBe(
      "### ⚠ Passes as far as compared: 2 objects could not be read: `a` and `<b>`",
    );
    expect(toImpactMarkdown({ ...report, uncompared: [untyped, torn("a")] }, null)).toContain(
      "No change was found; 1 model could not be read: `a`.",
    );
    const part = { object: "c", message: "keeps its old columns", unread: null };
    expect(
      toImpactMarkdown({ ...report, uncompared: [torn(""), part, { ...part, object: "a" }, torn("a")] }, null),
    ).toContain("No change was found; 1 thing could not be compared in full: `c`; 2 models could not be read");
    expect(toImpactMarkdown({ ...reportOf(["d"]), uncompared: [untyped] }, "high")).toMatch(
      /\n`shop`: 1 change .*; the new types of 3 columns are not known\.\n/,
    );
    const { checks, lineage } = reportOf(["c"]);
    expect(toImpactMarkdown({ ...report, lineage, uncompared: [untyped] }, "high")).toMatch(
      /: no name changes, and the lineage has 2 changes\n\n`shop`: No name changes; .*; the new types of 3 columns/,
    );
    expect(toImpactMarkdown({ ...report, checks, uncompared: [torn("a")] }, "high")).toMatch(
      /^### ❌ Fails: .*1 check would fail; 1 model could not be read: `a`\n/,
    );
  });

  it("One thing is counted in the singular, and columns alone without assets", () => {
    const one = reportOf(["a"]);
    const { impact } = { ...one.affected[0] };
    const column = { state: "dropped", changes: [0], impact: { ...impact, type: "column" } } as JointlyAffected;
    const text = toImpactMarkdown({ ...one, affected: [column], groups: [] }, "high");
    expect(text).toContain("<summary>1 certification would lapse</summary>");
    expect(text).toContain("; 1 column dropped in this change set");
  });

  it("A Markdown report is shorter than the longest comment, and says how much it left out", () => {
    const many = Array.from({ length: atDepth(3_000, 20_000) }, (_, i) => `database.schema.model_${i}`);
    for (const state of ["affected", "adapted"] as const) {
      const text = toImpactMarkdown(reportOf(many, state, "dashboard"), "high");
      expect(text.length).toBeLessThan(65_536);
      expect(text).toMatch(/… and \d+ more\./);
    }
  });

  it("No name in a Markdown report ends a cell, a line or a fold, or is read as Markdown or HTML", () => {
    const text = toImpactMarkdown(reportOf(["a|b", "`c`", "</details>", "[d](http://e)", "**f**"]), "high");
    expect(text).toContain("model `a\\|b`");
    expect(text).toContain("model `` `c` ``");
    expect(text).toContain("`[d](http://e)`");
    expect(text).toContain("it reads `**f**`, `a_b` too");
    expect(text).not.toMatch(/(?<!`)(?<!\\)<\/details>\s*\|/);
  });

  it("No name in a Markdown report becomes a mention, link, image or HTML, or changes the number of rows", () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyName, { minLength: 1, maxLength: 4 }), (names) => {
        const markdown = toImpactMarkdown(reportOf(names, "affected", "dashboard"), "high");
        expect(foundAlive(markdown)).toEqual([]);
        expect(tablesOf(markdown).map(({ rows }) => rows.length)).toEqual([
          1,
          ...Array.from({ length: 6 }, () => names.length),
          2 * names.length,
        ]);
        for (const { header, raw } of tablesOf(markdown)) {
          for (const line of raw.trim().split("\n")) expect(cellsIn(line)).toBe(header.length);
        }
      }),
      propertyRuns(300),
    );
  });

  it("A Markdown report shows each name unchanged", () => {
    const names = ["a\\|b", "`", "``x`", "a@b.cd", "@org/team", "&lt;b&gt;", "GH-12"];
    const [, affected] = tablesOf(toImpactMarkdown(reportOf(names), "high"));
    const shown = (affected?.rows ?? []).map(([, asset]) =>
      (asset?.tokens ?? []).flatMap((token) => (token.type === "codespan" ? [token.text] : [])).join(""),
    );
    expect(shown).toEqual(names);
  });

  it("A Markdown report leaves ordinary sentences unchanged", () => {
    const report = reportOf(["orders"]);
    const message = "The model could not be read (its SQL is broken): it's 90 % alike, so-called “known”.";
    expect(toImpactMarkdown({ ...report, uncompared: [{ object: "", message, unread: null }] }, "high")).toContain(
      message,
    );
  });
});
