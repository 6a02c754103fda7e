/** The rules of risk: each row of the table, by examples that no earlier row decides. */
import { describe, expect, it } from "vitest";

import { type CatalogNode, CERTIFICATIONS } from "../../../../src/catalog/asset.ts";
import { NODE_TYPES } from "../../../../src/catalog/node-types.ts";
import {
  canChange,
  type Effect,
  EFFECTS,
  EVIDENCE_KINDS,
  type PathKind,
  type Risk,
  RISK_RULES,
  riskOf,
} from "../../../../src/catalog/impact.ts";

type Affected = Pick<CatalogNode, "type" | "certification">;

const MODEL: Affected = { type: "model", certification: "none" };
const CERTIFIED_MODEL: Affected = { type: "model", certification: "certified" };
const DASHBOARD: Affected = { type: "dashboard", certification: "none" };
const METRIC: Affected = { type: "metric", certification: "pending" };
const CERTIFIED_METRIC: Affected = { type: "metric", certification: "certified" };
const OTHERS = [MODEL, CERTIFIED_MODEL, METRIC];
const ALL = [...OTHERS, DASHBOARD, CERTIFIED_METRIC];

function rank(risk: Risk): number {
  return ["low", "medium", "high"].indexOf(risk);
}

/** For each rule, in order: a title, and examples that it decides. */
const ROWS: [title: string, effects: Effect[], paths: PathKind[], affected: Affected[], risk: Risk][] = [
  ["A widened column is a low risk to everything", ["widens"], [...EVIDENCE_KINDS], ALL, "low"],
  [
    "An asset that is known to use no changed column is at low risk",
    ["breaks", "narrows", "deprecates"],
    ["NONE"],
    ALL,
    "low",
  ],
  ["An asset that gets values of a column that goes away is at high risk", ["breaks"], ["DIRECT"], ALL, "high"],
  ["An asset whose SQL names a column that goes away is at high risk", ["breaks"], ["NAMED"], ALL, "high"],
  [
    "A certified metric or a dashboard is at high risk if a column that goes away decides its rows",
    ["breaks"],
    ["INDIRECT"],
    [DASHBOARD, CERTIFIED_METRIC],
    "high",
  ],
  [
    "A certified metric that may use a column that goes away is at high risk",
    ["breaks"],
    ["UNKNOWN"],
    [CERTIFIED_METRIC],
    "high",
  ],
  [
    "Any other asset that uses indirectly, or may use, a column that goes away is at medium risk",
    ["breaks"],
    ["INDIRECT", "UNKNOWN"],
    OTHERS,
    "medium",
  ],
  [
    "An asset that uses, or may use, a narrowed column is at medium risk",
    ["narrows"],
    ["DIRECT", "INDIRECT", "UNKNOWN"],
    ALL,
    "medium",
  ],
  ["An asset that gets values of a deprecated column is at medium risk", ["deprecates"], ["DIRECT"], ALL, "medium"],
  [
    "A certified metric or a dashboard is at medium risk if a deprecated column decides its rows",
    ["deprecates"],
    ["INDIRECT"],
    [DASHBOARD, CERTIFIED_METRIC],
    "medium",
  ],
  [
    "A certified metric that may use a deprecated column is at medium risk",
    ["deprecates"],
    ["UNKNOWN"],
    [CERTIFIED_METRIC],
    "medium",
  ],
  [
    "Any other asset that uses indirectly, or may use, a deprecated column is at low risk",
    ["deprecates"],
    ["INDIRECT", "UNKNOWN"],
    OTHERS,
    "low",
  ],
];

describe("The rules of risk", () => {
  it.each(ROWS)("%s", (_, effects, paths, affected, risk) => {
    for (const effect of effects) {
      for (const path of paths) {
        for (const one of affected) expect(riskOf(effect, path, one)).toBe(risk);
      }
    }
  });

  it("The rules are the rows tested here, in this order", () => {
    expect(RISK_RULES.map(({ effect, path, risk }) => [effect, path, risk])).toEqual(
      ROWS.map(([, effects, paths, , risk]) => [effects, paths, risk]),
    );
  });

  it("A dashboard that may use what goes away has no more risk than a model", () => {
    expect(riskOf("breaks", "UNKNOWN", DASHBOARD)).toBe("medium");
    expect(riskOf("deprecates", "UNKNOWN", DASHBOARD)).toBe("low");
  });

  it("The rules decide every case, and each rule decides some case", () => {
    const deciding = new Set<string>();
    for (const effect of EFFECTS) {
      for (const kind of EVIDENCE_KINDS) {
        for (const type of NODE_TYPES) {
          for (const certification of CERTIFICATIONS) {
            expect(["high", "medium", "low"]).toContain(riskOf(effect, kind, { type, certification }));
          }
        }
        deciding.add(`${effect} ${kind}`);
      }
    }
    expect(deciding.size).toBe(EFFECTS.length * EVIDENCE_KINDS.length);
  });

  it("An unknown use never has a lower risk than an indirect use", () => {
    for (const effect of EFFECTS) {
      for (const one of ALL.filter(({ type }) => type !== "dashboard")) {
        expect(rank(riskOf(effect, "UNKNOWN", one))).toBeGreaterThanOrEqual(rank(riskOf(effect, "INDIRECT", one)));
      }
    }
  });

  it("A deprecation has one level less risk than a break", () => {
    for (const kind of EVIDENCE_KINDS) {
      for (const one of ALL) {
        expect(rank(riskOf("deprecates", kind, one))).toBe(Math.max(0, rank(riskOf("breaks", kind, one)) - 1));
      }
    }
  });
});

describe("Kinds of change", () => {
  it.each(["dashboard", "pipeline", "metric"] as const)("A %s can only be deprecated", (type) => {
    expect(canChange(type, "deprecate")).toBe(true);
    for (const change of ["column_drop", "column_rename", "type_change"] as const) {
      expect(canChange(type, change)).toBe(false);
    }
  });

  it.each(["column", "table", "model"] as const)("A %s can have any kind of change", (type) => {
    for (const change of ["column_drop", "column_rename", "type_change", "deprecate"] as const) {
      expect(canChange(type, change)).toBe(true);
    }
  });
});
