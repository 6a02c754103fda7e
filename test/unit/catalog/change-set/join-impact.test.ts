import { describe, expect, it } from "vitest";

import { nameChange, UNOWNED } from "../../../../src/catalog/change-set/change.ts";
import { type ChangeImpact, createJoining } from "../../../../src/catalog/change-set/join-impact.ts";
import type { AffectedNode, Impact, Risk } from "../../../../src/catalog/impact.ts";
import { groupAssets } from "../../../../src/catalog/impact/affected-assets.ts";
import { countRisks, groupByOwner } from "../../../../src/catalog/impact/owners.ts";
import { type NodeId, toConnectorId, toNodeId } from "../../../../src/ids.ts";
import { runAtOnce } from "../../../../src/work/slicer.ts";

function joinImpacts(impacts: readonly ChangeImpact[], isGone: (id: NodeId) => boolean) {
  const joining = createJoining(isGone);
  for (const impact of impacts) runAtOnce(joining.add(impact));
  return runAtOnce(joining.finish());
}

function affectedNode(id: string, risk: Risk, hops = 1, owner = "ada@example.com"): AffectedNode {
  const rest = { path: [], evidence: [], owner, ownerName: "", usage: null, reason: `${id} at ${risk}` };
  return {
    id: toNodeId(id),
    parentId: null,
    name: id,
    fqn: id,
    type: "model",
    certification: "none",
    risk,
    hops,
    ...rest,
  };
}

function impactOf(root: string, affected: AffectedNode[]): Impact {
  const coverage = { connectors: [], gaps: [], gapsTotal: 0 };
  const counted = { summary: countRisks(affected), owners: groupByOwner(affected), truncated: false, coverage };
  const groups = groupAssets(affected);
  return { root: toNodeId(root), change: "column_drop", newType: null, effect: "breaks", affected, groups, ...counted };
}

function changeImpact(id: string, all: AffectedNode[], left = all): ChangeImpact {
  const column = { id: toNodeId(id), name: id, fqn: id, type: "column", dataType: "", ...UNOWNED } as const;
  const change = nameChange(column, "column_drop", "");
  return { change, all: impactOf(id, all), left: impactOf(id, left) };
}

/** An impact with this total of gaps, of which the given ones are listed. */
function withGaps(impact: ChangeImpact, listed: string[], gapsTotal: number, connectors: string[]): ChangeImpact {
  const gaps = listed.map((id) => ({ id: toNodeId(id), reason: `${id} was not read` }));
  return {
    ...impact,
    left: { ...impact.left, coverage: { connectors: connectors.map(toConnectorId), gaps, gapsTotal } },
  };
}

const nothingGoes = (): boolean => false;

const gapsOf = (...impacts: ChangeImpact[]) => joinImpacts(impacts, nothingGoes).coverage;

describe("Joining impacts", () => {
  it("A gap that several changes meet is counted once, and the total is never below that of one change", () => {
    const [x, y] = [changeImpact("x", []), changeImpact("y", [])];
    expect(gapsOf(withGaps(x, ["a", "b"], 2, ["dbt"]), withGaps(y, ["b", "c"], 2, ["bi", "dbt"]))).toEqual({
      connectors: ["bi", "dbt"],
      gaps: ["a", "b", "c"].map((id) => ({ id, reason: `${id} was not read` })),
      gapsTotal: 3,
    });
    expect(gapsOf(withGaps(x, ["a"], 700, []), withGaps(y, ["b"], 1, []))).toMatchObject({ gapsTotal: 700 });
    expect(gapsOf()).toEqual({ connectors: [], gaps: [], gapsTotal: 0 });
  });

  it("Each affected asset is listed once, with its highest risk and all changes that reach it", () => {
    const joint = joinImpacts(
      [
        changeImpact("x", [affectedNode("m", "medium"), affectedNode("n", "high", 3)]),
        changeImpact("y", [affectedNode("m", "high", 2)]),
      ],
      nothingGoes,
    );
    expect(joint.affected.map(({ impact, changes }) => [impact.reason, impact.hops, changes])).toEqual([
      ["m at high", 2, [0, 1]],
      ["n at high", 3, [0]],
    ]);
    expect(joint.summary).toEqual({ total: 2, high: 2, medium: 0, low: 0 });
    expect(joint.changes.map(({ summary }) => summary.total)).toEqual([2, 1]);
  });

  it("Assets that are adapted or dropped are listed last, and neither they nor their owners are counted", () => {
    const all = [affectedNode("a", "high"), affectedNode("b", "high"), affectedNode("c", "low", 1, "eve@example.com")];
    const joint = joinImpacts([changeImpact("x", all, all.slice(2))], (id) => id === "b");
    expect(joint.affected.map(({ impact, state }) => `${impact.id} ${state}`)).toEqual([
      "c affected",
      "a adapted",
      "b dropped",
    ]);
    expect(joint).toMatchObject({ summary: { total: 1, high: 0 }, adapted: 1, dropped: 1 });
    expect(joint.owners.map(({ owner }) => owner)).toEqual(["eve@example.com"]);
  });

  it("An asset that one change still affects counts as affected, even if it is adapted to another change", () => {
    const joint = joinImpacts(
      [changeImpact("x", [affectedNode("m", "high")], []), changeImpact("y", [affectedNode("m", "low")])],
      nothingGoes,
    );
    expect(joint.affected).toMatchObject([{ state: "affected", impact: { risk: "low" }, changes: [1] }]);
  });

  it("A joint impact is truncated if one of its impacts is", () => {
    const cut = changeImpact("x", []);
    expect(joinImpacts([cut], nothingGoes).truncated).toBe(false);
    expect(joinImpacts([{ ...cut, all: { ...cut.all, truncated: true } }], nothingGoes).truncated).toBe(true);
  });
});
