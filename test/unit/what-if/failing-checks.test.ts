/** Which of the checks that a change breaks still fail once the new project's checks are known. */
import { describe, expect, it } from "vitest";

import { CHANGE_TYPE_OF, type Change, UNOWNED } from "../../../src/catalog/change-set/change.ts";
import type { Check } from "../../../src/catalog/check.ts";
import type { FailingCheck, FailingChecks } from "../../../src/catalog/impact.ts";
import { type NodeId, toConnectorId, toNodeId } from "../../../src/ids.ts";
import { createFailingJoin, type NewChecks } from "../../../src/what-if/failing-checks.ts";

function change(kind: Exclude<Change["kind"], "named">, more: Partial<Change> = {}): Change {
  const unsaid = { newName: "", oldType: "", newType: "", confidence: 1, because: "", ...UNOWNED };
  return {
    kind,
    changeType: CHANGE_TYPE_OF[kind],
    id: toNodeId("amount"),
    name: "amount",
    fqn: "wh.mart.orders.amount",
    type: "column",
    ...unsaid,
    ...more,
  };
}

function check(object: string, more: Partial<Check> = {}): Check {
  return {
    id: `id of ${object}`,
    object,
    name: object,
    kind: "generic",
    test: "not_null",
    severity: "error",
    assets: [toNodeId("orders")],
    columns: [{ id: toNodeId("amount"), type: "" }],
    result: null,
    ...more,
  };
}

function failing(object: string, more: Partial<FailingCheck> = {}): FailingCheck {
  return {
    check: check(object),
    on: toNodeId("amount"),
    why: "changed",
    reason: "It needs it.",
    connectorIds: [toConnectorId("dbt")],
    ...more,
  };
}

const NOTHING_UNBUILT = {
  unbuilt: [],
  skipped: { models: [], checks: [] },
  unrefreshed: { groups: [], nodes: [], truncated: false },
};
const model = (name: string) => {
  return { id: toNodeId(name), name, fqn: name, type: "model", owner: "", ownerName: "" } as const;
};
const found = (...all: FailingCheck[]): FailingChecks => {
  return { ...NOTHING_UNBUILT, total: all.length, failing: all, truncated: false };
};

function old(...names: string[]): FailingChecks {
  const nodes = names.map((name) => Object.assign({ reason: `${name} reads it.` }, model(name)));
  return { ...found(), unrefreshed: { groups: [], nodes, truncated: false } };
}

/** The checks of a new project that is built in the same schema as the present one, unless new ids are given. */
function next(
  checks: readonly Check[],
  newIds: Record<string, string> = {},
  unread: readonly string[] = [],
): NewChecks {
  const follow = (id: NodeId): NodeId => toNodeId(newIds[id] ?? `${id}`);
  return {
    connectorId: toConnectorId("dbt"),
    checks: new Map(checks.map((each) => [each.object, each])),
    follow,
    sameName: follow,
    platform: "postgres",
    isUnread: (object) => unread.includes(object),
  };
}

function namesAfter(by: Change, all: FailingCheck[], news: NewChecks | null): string[] {
  const join = createFailingJoin(news);
  join.add(by, found(...all));
  return join.finish({ affected: [] }, () => false).wouldFail.map(({ name }) => name);
}

const contract = (type: string) => check("c", { kind: "contract", columns: [{ id: toNodeId("amount"), type }] });

const DROP = change("column_dropped");

describe("Checks of the compared project", () => {
  it("A check fails if the new project still has it on the dropped column", () => {
    expect(namesAfter(DROP, [failing("t")], next([check("t")]))).toEqual(["t"]);
  });

  it("A check does not fail if the new project does not have it, or if it no longer names the column", () => {
    const adapted = check("b", { columns: [{ id: toNodeId("total"), type: "" }] });
    expect(namesAfter(DROP, [failing("a"), failing("b")], next([adapted]))).toEqual([]);
  });

  it("A check fails if it could not be read in the new project, because it is not known to be gone", () => {
    expect(namesAfter(DROP, [failing("a")], next([], {}, ["a"]))).toEqual(["a"]);
  });

  it("A check is found again if the new project is built for another schema", () => {
    const ids = { orders: "ci.orders", amount: "ci.amount" };
    const elsewhere = check("t", {
      assets: [toNodeId("ci.orders")],
      columns: [{ id: toNodeId("ci.amount"), type: "" }],
    });
    expect(namesAfter(DROP, [failing("t")], next([elsewhere], ids))).toEqual(["t"]);
  });

  it("A check fails on a model that cannot be built, whichever columns it needs", () => {
    const unbuilt = failing("t", { on: toNodeId("orders"), why: "unbuilt" });
    expect(namesAfter(DROP, [unbuilt], next([check("t", { columns: [] })]))).toEqual(["t"]);
    expect(namesAfter(DROP, [unbuilt], next([check("t", { assets: [toNodeId("customers")], columns: [] })]))).toEqual(
      [],
    );
  });

  it("A check does not fail if its table moves, because it names the table by reference", () => {
    const move = change("asset_moved", { id: toNodeId("orders"), type: "model", fqn: "wh.mart.orders" });
    expect(namesAfter(move, [failing("t", { on: toNodeId("orders") })], next([check("t")]))).toEqual([]);
  });

  it("A contract fails only if the new contract states another type than the column gets", () => {
    const retyped = change("column_retyped", { newType: "bigint" });
    const fails = failing("c", { why: "retyped", check: contract("integer") });
    expect(namesAfter(retyped, [fails], next([contract("integer")]))).toEqual(["c"]);
    expect(namesAfter(retyped, [fails], next([contract("int8")]))).toEqual([]);
  });
});

describe("Checks of a change set", () => {
  it("A check that only the new project has fails on a column that is dropped", () => {
    const join = createFailingJoin(next([check("new", { kind: "contract" })]));
    join.add(DROP, found());
    expect(join.finish({ affected: [] }, () => false)).toEqual({
      total: 1,
      wouldFail: [
        {
          id: "id of new",
          name: "new",
          kind: "contract",
          assetId: "orders",
          reason: "It needs `orders.amount`, which goes away.",
        },
      ],
      truncated: false,
      unbuilt: [],
      skipped: { models: 0, checks: 0 },
      unrefreshed: { groups: [], nodes: [], truncated: false },
    });
  });

  it("Models and checks that are skipped count once, and not if they fail themselves", () => {
    const join = createFailingJoin(null);
    const [b, c] = [toNodeId("b"), toNodeId("c")];
    join.add(DROP, { ...found(), unbuilt: [model("a")], skipped: { models: [b, c], checks: ["x", "id of t"] } });
    join.add(DROP, { ...found(failing("t")), unbuilt: [model("b")], skipped: { models: [c], checks: ["x"] } });
    const { unbuilt, skipped } = join.finish({ affected: [] }, () => false);
    expect(unbuilt.map(({ id, change: position }) => [id, position])).toEqual([
      ["a", 0],
      ["b", 1],
    ]);
    expect(skipped).toEqual({ models: 1, checks: 1 });
  });

  it("A check that one change fails is skipped if another change skips its model, and that model can be built", () => {
    const join = createFailingJoin(
      next([check("new", { assets: [toNodeId("ci.b")] })], { b: "ci.b", amount: "amount" }),
    );
    const onB = (object: string) => failing(object, { check: check(object, { assets: [toNodeId("b")] }) });
    const soda = { ...onB("soda"), connectorIds: [toConnectorId("soda")] };
    join.add(DROP, found(soda));
    join.add(DROP, { ...found(), unbuilt: [model("a")], skipped: { models: [toNodeId("b")], checks: ["id of soda"] } });
    const { total, skipped } = join.finish({ affected: [] }, () => false);
    expect([total, skipped]).toEqual([0, { models: 1, checks: 1 }]);
  });

  it("What gets no new data counts once, and not if another change reaches it or the change set drops it", () => {
    const join = createFailingJoin(null);
    join.add(DROP, old("a", "b"));
    join.add(DROP, old("b", "c", "d", "e"));
    const impact = { certification: "none", risk: "high", hops: 1, usage: null } as const;
    const reached = (name: string, state: "affected" | "adapted") => {
      return {
        state,
        changes: [0],
        impact: { ...impact, ...model(name), parentId: null, reason: "", path: [], evidence: [] },
      };
    };
    const affected = [reached("c", "affected"), reached("e", "adapted")];
    const { unrefreshed } = join.finish({ affected }, (id) => id === "d");
    expect(unrefreshed.nodes.map(({ id }) => id)).toEqual(["a", "b", "e"]);
    expect(unrefreshed.groups).toEqual([{ type: "model", owner: "", ownerName: "", count: 3 }]);
  });

  it("A check of another connector fails, because the new manifest does not contain it", () => {
    expect(namesAfter(DROP, [failing("soda", { connectorIds: [toConnectorId("soda")] })], next([]))).toEqual(["soda"]);
  });

  it("A check is listed once, however many changes make it fail", () => {
    const join = createFailingJoin(null);
    join.add(DROP, found(failing("t")));
    join.add(change("column_dropped", { id: toNodeId("id") }), found(failing("t"), failing("u")));
    expect(join.finish({ affected: [] }, () => false)).toMatchObject({ total: 2, truncated: false });
  });

  it("At most a thousand failing checks are listed, and all are counted", () => {
    const join = createFailingJoin(null);
    join.add(DROP, found(...Array.from({ length: 1_001 }, (_, i) => failing(`t${i}`))));
    const all = join.finish({ affected: [] }, () => false);
    expect([all.total, all.wouldFail.length, all.truncated]).toEqual([1_001, 1_000, true]);
    const cut = createFailingJoin(null);
    cut.add(DROP, { ...found(failing("t")), truncated: true });
    expect(cut.finish({ affected: [] }, () => false).truncated).toBe(true);
  });
});
