/** Rows of every part of a graph's copy. They belong together. */
import type { NodeWrite } from "../../src/graph/catalog-writes.ts";
import type { CopiedNode, CopyPart, CopyRows } from "../../src/graph/graph-copy.ts";
import { toConnectorId, type WorkspaceId } from "../../src/ids.ts";
import { checkOf, columnOf, nodeOf, stampOf, timeOf } from "./graph-writes.ts";

/** Seven rows of each part, which belong together. */
export function manyRows(workspace: WorkspaceId): { [P in CopyPart]: CopyRows[P][] } {
  const stamp = stampOf(workspace, "dbt", 1);
  const numbers = [1, 2, 3, 4, 5, 6, 7];
  const each = <R>(toRow: (i: number) => R): R[] => numbers.map(toRow);
  const stated = (i: number) => ({ connectorId: stamp.connectorId, scope: `scope ${i}`, syncId: `sync_${i}` });
  const connector = (i: number) => toConnectorId(`${workspace}:conn_${i}`);
  const copied = (write: NodeWrite, i: number): CopiedNode => ({
    id: write.id,
    platform: write.platform,
    parentId: write.parentId,
    createdAt: stamp.at,
    updatedAt: stamp.at,
    since: 1,
    curation: {},
    claims: [
      {
        ...stated(i),
        firstSyncId: null,
        since: stamp.at,
        changedBy: null,
        layer: {
          connectorName: "dbt",
          precedence: 10,
          lineagePrecedence: 10,
          connectorCreatedAt: stamp.at,
          type: write.type,
          existence: "held",
          facts: write.facts,
        },
      },
    ],
  });
  const models = each((i) => nodeOf(workspace, "model", `wh.mart.model_${i}`));
  const last = nodeOf(workspace, "model", "wh.mart.model_7");
  const fields = models.map((model) => columnOf(workspace, model, "id", 0));
  const metrics = each((i) => nodeOf(workspace, "metric", `metric_${i}`));
  const step = { action: "certify", from: "pending", to: "certified", actor: "ada", at: stamp.at } as const;
  const { connectorId } = stamp;
  return {
    runs: each((run) => ({ connectorId: connector(run), run })),
    scopes: each((i) => ({ connectorId, scope: `scope ${i}`, incomplete: true, run: 0 })),
    removedNodes: each((i) => ({ ...copied(nodeOf(workspace, "model", `wh.old.model_${i}`), i), claims: [] })),
    assets: models.map((model, i) => copied(model, i + 1)),
    columns: fields.map((field, i) => copied(field, i + 1)),
    edges: Array.from(models, ({ id }, i) => ({
      from: id,
      to: last.id,
      kind: "derives",
      uses: [],
      ...stated(i + 1),
      since: 1,
    })),
    references: Array.from(fields, ({ id }, i) => ({ from: id, to: last.id, ...stated(i + 1), since: 1 })),
    checks: each((i) => ({ ...stated(i), precedence: 10, check: checkOf(workspace, `test_${i}`, [last], []) })),
    // Some have steps alone, some dependencies alone, and some both.
    certifications: metrics.map(({ id }, i) => ({
      metric: id,
      steps: i < 3 ? [] : [{ ...step, note: "", definitionHash: "" }],
      dependencies: i > 4 ? null : { fingerprint: "f", text: "t" },
    })),
    moments: each((number) => ({
      number,
      at: timeOf(number),
      connectorId,
      syncId: `sync_${number}`,
      actor: "",
      isFirst: false,
    })),
    keptNodes: each((i) => ({
      id: last.id,
      parentId: null,
      key: `wh.mart.model ${i}`,
      since: 1,
      until: i + 1,
      isWhole: false,
      was: { description: `${i}` },
    })),
    keptLinks: Array.from(models, ({ id }, i) => ({
      from: id,
      to: last.id,
      kind: "derives",
      connectorId,
      uses: [],
      since: 1,
      until: i + 2,
    })),
    resultChanges: each((moment) => ({
      moment,
      check: "check",
      name: "unique_id",
      kind: "generic",
      node: last.id,
      columns: [],
      wasFailing: null,
      status: "fail",
      message: "",
    })),
    removedConnectors: each((i) => ({ connectorId: connector(i) })),
  };
}
