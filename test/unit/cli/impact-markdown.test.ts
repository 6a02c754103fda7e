import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { nameChange } from "../../../src/catalog/change-set/change.ts";
import type { AffectedState } from "../../../src/catalog/change-set/join-impact.ts";
import { toImpactMarkdown } from "../../../src/cli/impact-markdown.ts";
import type { WhatIfReport } from "../../../src/what-if/what-if.ts";

const NONE = { total: 0, high: 0, medium: 0, low: 0 };

function reportOf(names: readonly string[], state: AffectedState = "affected"): WhatIfReport {
  const node = { type: "model", certification: "none", risk: "high", hops: 1 } as const;
  const change = nameChange(
    { id: "x", name: "x", fqn: names[0] ?? "x", type: "column", dataType: "" },
    "column_drop",
    "",
  );
  return {
    changes: [{ ...change, summary: NONE }],
    summary: { total: names.length, high: names.length, medium: 0, low: 0 },
    adapted: 0,
    dropped: 0,
    affected: names.map((name) => {
      const told = { id: name, name, fqn: name, reason: `it reads ${name}, \`a_b\` too`, owner: "", ownerName: name };
      return { state, changes: [0], impact: { ...node, ...told, path: [], evidence: [] } };
    }),
    owners: names.map((ownerName) => ({ owner: "", ownerName, ...NONE, total: 1, high: 1 })),
    uncompared: names.map((object) => ({ object, message: `${object} could not be read` })),
    truncated: false,
  };
}

/** Bars that end a cell. */
function barsIn(line: string): number {
  return line.match(/(?<!\\)\|/g)?.length ?? 0;
}

describe("a report as Markdown", () => {
  it("folds long lists and shows short ones", () => {
    expect(toImpactMarkdown(reportOf(["a", "b"]), "shop")).not.toContain("2 affected</summary>");
    const many = Array.from({ length: 11 }, (_, i) => `m${i}`);
    expect(toImpactMarkdown(reportOf(many), "shop")).toContain("<details><summary>11 affected</summary>");
  });

  it("stays shorter than a comment may be, and says how much it left out", () => {
    const many = Array.from({ length: 20_000 }, (_, i) => `database.schema.model_${i}`);
    for (const state of ["affected", "adapted"] as const) {
      const text = toImpactMarkdown(reportOf(many, state), "shop");
      expect(text.length).toBeLessThan(65_536);
      expect(text).toMatch(/… and \d+ more; `--format json` lists them all\./);
    }
  });

  it("lets no name end a cell, a line or a fold, nor pass for Markdown or HTML", () => {
    const text = toImpactMarkdown(reportOf(["a|b", "`c`", "</details>", "[d](http://e)", "**f**"]), "shop");
    expect(text).toContain("model `a\\|b`");
    expect(text).toContain("model `` `c` ``");
    expect(text).toContain("\\[d\\](http://e)");
    expect(text).toContain("it reads \\*\\*f\\*\\*, `a_b` too");
    expect(text).not.toMatch(/(?<!`)(?<!\\)<\/details>\s*\|/);
  });

  it("has as many cells in each row of a table as in its head, whatever the names", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, unit: "grapheme" }), { minLength: 1, maxLength: 4 }), (names) => {
        let head = 0;
        for (const line of toImpactMarkdown(reportOf(names), "shop").split("\n")) {
          if (!line.startsWith("| ")) head = 0;
          else head ||= barsIn(line);
          expect(line.startsWith("| ") ? barsIn(line) : 0).toBe(head);
        }
      }),
    );
  });
});
