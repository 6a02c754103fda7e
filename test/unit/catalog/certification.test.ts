import { describe, expect, it } from "vitest";

import type { CatalogNode } from "../../../src/catalog/asset.ts";
import { type CertificationStep, stepsUntil } from "../../../src/catalog/certification.ts";

const ADA = "ada@example.com";

const day = (number: number): string => `2026-03-0${number}T10:00:00.000Z`;

function step(action: CertificationStep["action"], at: string, actor = ADA): CertificationStep {
  const [from, to] = action === "certify" || action === "state" ? ["pending", "certified"] : ["certified", "pending"];
  return { action, from, to, actor, at, note: "", definitionHash: "" } as CertificationStep;
}

function shown(certifiedAt: string | null): CatalogNode {
  const certification = certifiedAt === null ? "pending" : "certified";
  return { certification, certifiedAt, certifiedBy: certifiedAt && ADA } as CatalogNode;
}

describe("The steps that a trail had at an earlier time", () => {
  const trail = [step("certify", day(1)), step("lapse", day(3)), step("certify", day(5))];

  it.each([
    [day(1), 1],
    [day(2), 1],
    [day(3), 2],
    [day(9), 3],
  ])("What people did until %s counts: %i steps", (at, amount) => {
    expect(stepsUntil(at, shown(day(1)), trail)).toEqual(trail.slice(0, amount));
  });

  it("A statement of the source counts if it was shown, even if its own time is later", () => {
    const stated = [step("state", day(8)), step("withdraw", day(6))];
    expect(stepsUntil(day(4), shown(day(8)), stated)).toEqual(stated.slice(0, 1));
    expect(stepsUntil(day(7), shown(null), stated)).toEqual(stated);
  });

  it("A statement of the source does not count before a sync brought it, even if its own time is earlier", () => {
    const stated = [step("certify", day(1)), step("withdraw", day(2)), step("state", day(1))];
    expect(stepsUntil(day(4), shown(null), stated)).toEqual(stated.slice(0, 2));
    expect(stepsUntil(day(4), shown(day(1)), stated)).toEqual(stated);
  });

  it("Of several statements in a row, those until the one that was shown count", () => {
    const stated = [step("state", day(1)), step("state", day(2)), step("state", day(3))];
    expect(stepsUntil(day(9), shown(day(2)), stated)).toEqual(stated.slice(0, 2));
  });

  it("A metric that was not there had no steps by its source", () => {
    expect(stepsUntil(day(9), null, [step("state", day(1))])).toEqual([]);
  });
});
