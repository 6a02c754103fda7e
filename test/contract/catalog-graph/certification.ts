/** The certification of a metric, its trail and its dependencies. */
import { expect, it } from "vitest";

import type {
  CertificationChange,
  CertificationSeen,
  CertificationStep,
  CertificationDecision,
} from "../../../src/catalog/certification.ts";
import type { NodeFacts } from "../../../src/catalog/statement.ts";
import type { NodeWrite } from "../../../src/graph/catalog-writes.ts";
import type { WorkspaceId } from "../../../src/ids.ts";
import { look, newWorkspace, nodeOf, stampOf, timeOf, UNKNOWN } from "../../support/graph-writes.ts";
import { present } from "../../support/present.ts";
import type { OpenGraph } from "../catalog-graph.ts";

const PENDING: CertificationSeen = { certification: "pending", certifiedBy: null, certifiedAt: null, steps: 0 };
const DEPENDENCIES = { fingerprint: "f1", text: '{"the":"text"}' };
const DEFINITION = { displayName: "Revenue", kind: "simple", grain: "day", dimensions: [], filters: [] } as const;

export function metricOf(workspace: WorkspaceId, facts: Partial<NodeFacts> = {}): NodeWrite {
  const metric = { ...DEFINITION, expression: "sum(total)", dimensions: [], filters: [] };
  return nodeOf(workspace, "metric", "shop.revenue", { metric, ...facts });
}

function stepOf(action: CertificationStep["action"], at: number, note = ""): CertificationStep {
  const up = action === "certify" || action === "state";
  const [from, to] = up ? (["pending", "certified"] as const) : (["certified", "pending"] as const);
  return { action, from, to, actor: "ada@example.com", at: timeOf(at), note, definitionHash: "d1" };
}

export function certifying(at: number, seen: CertificationSeen = PENDING): CertificationChange {
  const decision: CertificationDecision = { says: "certified", by: "ada@example.com", at: timeOf(at) };
  return { seen, decision, step: stepOf("certify", at), dependencies: DEPENDENCIES, at: timeOf(at) };
}

export function pendingSince(
  at: number,
  seen: CertificationSeen,
  until: "a person certifies it" | "its source certifies it again",
) {
  const action = until === "its source certifies it again" ? "lapse" : "withdraw";
  const decision: CertificationDecision = { says: "pending", until };
  return { seen, decision, step: stepOf(action, at), dependencies: null, at: timeOf(at) };
}

export const certifiedAt = (at: number, steps: number): CertificationSeen => ({
  certification: "certified",
  certifiedBy: "ada@example.com",
  certifiedAt: timeOf(at),
  steps,
});

export function describeCertification(open: OpenGraph): void {
  it("Certifying a metric changes what is shown, the trail and the dependencies at once", async () => {
    const w = newWorkspace();
    const revenue = metricOf(w);
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [revenue]);
    expect(await open().certify(w, revenue.id, certifying(2))).toBe("done");
    expect(await look(open(), w, revenue)).toMatchObject({
      certification: "certified",
      certifiedBy: "ada@example.com",
      certifiedAt: timeOf(2),
      updatedAt: timeOf(2),
    });
    expect(await open().loadTrails(w, [revenue.id])).toEqual([{ steps: [stepOf("certify", 2)], fingerprint: "f1" }]);
    expect(await open().loadDependencies(w, [revenue.id])).toEqual([DEPENDENCIES.text]);
    const listed = await open().listNodes(
      w,
      { types: ["metric"], certification: "certified" },
      { after: null, limit: 5 },
    );
    expect(listed.items.map(({ id }) => id)).toEqual([revenue.id]);
  });

  it("Of two certifications at the same time, only one succeeds", async () => {
    const w = newWorkspace();
    const revenue = metricOf(w);
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [revenue]);
    const outcomes = await Promise.all([2, 3, 4].map((at) => open().certify(w, revenue.id, certifying(at))));
    expect(outcomes.toSorted()).toEqual(["done", "overtaken", "overtaken"]);
    const [trail] = await open().loadTrails(w, [revenue.id]);
    expect(trail?.steps).toHaveLength(1);
    expect((await look(open(), w, revenue))?.certifiedAt).toBe(trail?.steps[0]?.at);
  });

  it("A certification is refused as a whole if the metric has changed since the caller read it", async () => {
    const w = newWorkspace();
    const revenue = metricOf(w, { certification: "certified", certifiedBy: "eve@example.com" });
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [revenue]);
    for (const seen of [PENDING, { ...PENDING, certification: "certified" as const }, certifiedAt(1, 0)]) {
      expect(await open().certify(w, revenue.id, certifying(2, seen))).toBe("overtaken");
    }
    const seen = { certification: "certified", certifiedBy: "eve@example.com", certifiedAt: null, steps: 1 } as const;
    expect(await open().certify(w, revenue.id, certifying(2, seen))).toBe("overtaken");
    expect(await open().loadTrails(w, [revenue.id])).toEqual([{ steps: [], fingerprint: null }]);
    expect(await open().loadDependencies(w, [revenue.id])).toEqual([null]);
    expect(await look(open(), w, revenue)).toMatchObject({ certifiedBy: "eve@example.com", updatedAt: timeOf(1) });
  });

  it("The trails of many metrics are returned in order, also for unknown and repeated ids", async () => {
    const w = newWorkspace();
    const revenue = metricOf(w);
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [revenue]);
    let seen = PENDING;
    for (let at = 1; at <= 12; at += 2) {
      expect(await open().certify(w, revenue.id, certifying(at, seen))).toBe("done");
      const back = pendingSince(at + 1, certifiedAt(at, at), "a person certifies it");
      expect(await open().certify(w, revenue.id, back)).toBe("done");
      seen = { ...PENDING, steps: at + 1 };
    }
    const [first, unknown, again] = await open().loadTrails(w, [revenue.id, UNKNOWN, revenue.id]);
    expect(first?.steps.map(({ at }) => at)).toEqual(Array.from({ length: 12 }, (_, i) => timeOf(i + 1)));
    expect(unknown).toEqual({ steps: [], fingerprint: null });
    expect(again).toEqual(first);
  });

  it("The dependencies of a metric can change without a step in its trail, and a step needs none", async () => {
    const w = newWorkspace();
    const revenue = metricOf(w);
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [revenue]);
    await open().certify(w, revenue.id, certifying(2));
    const same = { seen: certifiedAt(2, 1), decision: null, step: null, at: timeOf(3) };
    const renewed = { fingerprint: "f2", text: "other" };
    expect(await open().certify(w, revenue.id, { ...same, dependencies: renewed })).toBe("done");
    expect(await open().loadTrails(w, [revenue.id])).toMatchObject([{ steps: [{}], fingerprint: "f2" }]);
    expect((await look(open(), w, revenue))?.updatedAt).toBe(timeOf(2));
    expect(await open().certify(w, revenue.id, { ...same, dependencies: null })).toBe("done");
    expect(await open().loadDependencies(w, [revenue.id])).toEqual([null]);
  });

  it("A certification survives crawls, and the removal and return of its metric", async () => {
    const w = newWorkspace();
    const revenue = metricOf(w);
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [revenue]);
    await open().certify(w, revenue.id, certifying(2));
    const trails = await open().loadTrails(w, [revenue.id]);
    await open().writeNodes(stampOf(w, "dbt", 3), "all", [metricOf(w, { description: "changed" })]);
    await open().sweep(stampOf(w, "dbt", 4), "all");
    expect(await look(open(), w, revenue)).toBeNull();
    expect(await open().certify(w, revenue.id, pendingSince(5, certifiedAt(2, 1), "a person certifies it"))).toBe(
      "missing",
    );
    expect(await open().loadTrails(w, [revenue.id])).toEqual(trails);
    await open().writeNodes(stampOf(w, "dbt", 6), "all", [revenue]);
    expect(await look(open(), w, revenue)).toMatchObject({ certification: "certified", certifiedAt: timeOf(2) });
    expect(await open().loadTrails(w, [revenue.id])).toEqual(trails);
    expect(await open().loadDependencies(w, [revenue.id])).toEqual([DEPENDENCIES.text]);
  });

  it("A person's certification overrides the source's, and can leave the decision to the source again", async () => {
    const w = newWorkspace();
    const vouched = { certification: "certified", certifiedBy: "eve@example.com", certifiedAt: timeOf(0) } as const;
    const revenue = metricOf(w, vouched);
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [revenue]);
    await open().certify(w, revenue.id, pendingSince(2, { ...vouched, steps: 0 }, "a person certifies it"));
    expect(await look(open(), w, revenue)).toMatchObject({ certification: "pending", certifiedBy: null });
    await open().writeNodes(stampOf(w, "dbt", 3), "all", [metricOf(w, { ...vouched, certifiedAt: timeOf(3) })]);
    expect(await look(open(), w, revenue)).toMatchObject({ certification: "pending", certifiedAt: null });
    const decision: CertificationDecision = { says: "as the source does" };
    const change = { seen: { ...PENDING, steps: 1 }, decision, step: null, dependencies: null, at: timeOf(4) };
    expect(await open().certify(w, revenue.id, change)).toBe("done");
    expect(await look(open(), w, revenue)).toMatchObject({ ...vouched, certifiedAt: timeOf(3), updatedAt: timeOf(4) });
  });

  it("A person's certification can last until the source certifies the metric again", async () => {
    const w = newWorkspace();
    const vouched = { certification: "certified", certifiedBy: "eve@example.com", certifiedAt: timeOf(0) } as const;
    const revenue = metricOf(w, vouched);
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [revenue]);
    await open().certify(w, revenue.id, pendingSince(2, { ...vouched, steps: 0 }, "its source certifies it again"));
    const say = async (sync: number, facts: Partial<NodeFacts>) => {
      await open().writeNodes(stampOf(w, "dbt", sync), "all", [metricOf(w, facts)]);
      return present(await look(open(), w, revenue)).certification;
    };
    expect(await say(3, { ...vouched, description: "changed" })).toBe("pending");
    expect(await say(4, {})).toBe("pending");
    expect(await say(5, vouched)).toBe("pending");
    expect(await say(6, { ...vouched, certifiedAt: timeOf(6) })).toBe("certified");
    expect(await look(open(), w, revenue)).toMatchObject({ certifiedAt: timeOf(6), updatedAt: timeOf(6) });
  });

  it("Only metrics can be certified, and a certification applies to one workspace", async () => {
    const [w, other] = [newWorkspace(), newWorkspace()];
    const revenue = metricOf(w);
    const orders = nodeOf(w, "table", "shop.orders");
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [revenue, orders]);
    expect(await open().certify(w, orders.id, { ...certifying(2), seen: { ...PENDING, certification: "none" } })).toBe(
      "missing",
    );
    expect(await open().certify(other, revenue.id, certifying(2))).toBe("missing");
    await open().certify(w, revenue.id, certifying(2));
    expect(await open().loadTrails(other, [revenue.id])).toEqual([{ steps: [], fingerprint: null }]);
    expect(await open().loadDependencies(other, [revenue.id])).toEqual([null]);
  });
}
