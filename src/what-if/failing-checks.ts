/** Finds the checks that would fail: the new project still has them, and has not adapted them to the changes. */
import type { Change, ChangeSet } from "../catalog/change-set/change.ts";
import type { Check } from "../catalog/check.ts";
import { compareTypes } from "../catalog/data-type.ts";
import { columnRef, nodeId } from "../catalog/identity.ts";
import type { FailingCheck as FailingNow, FailingChecks as FailingByChange, Unbuilt } from "../catalog/impact.ts";
import type { JointImpact } from "../catalog/change-set/join-impact.ts";
import type { Unrefreshed, UnrefreshedAssets } from "../catalog/impact/unrefreshed-assets.ts";
import { groupUnrefreshed } from "../catalog/impact/unrefreshed.ts";
import { compareImpactOrder } from "../catalog/node-types.ts";
import type { NodeId } from "../ids.ts";
import type { Connector, Workspace } from "../metadata/records.ts";
import type { NewProject } from "./new-project.ts";
import type { NewStatements } from "./new-statements.ts";
import type { PresentProject } from "./present-project.ts";

/** A dbt test, or another check of a table or column, that would fail. */
export interface FailingCheck {
  id: string;
  name: string;
  kind: Check["kind"];
  /** The table or model that it belongs to. */
  assetId: string;
  /** Why it would fail, in one sentence. */
  reason: string;
}

export interface FailingChecks {
  /** The tables and models that cannot be built, each with the change that it does not follow, by its position. */
  unbuilt: (Unbuilt & { change: number })[];
  /** How many models are built from those, and how many checks of all of them dbt would skip. They are not in `total`. */
  skipped: { models: number; checks: number };
  /** What is downstream of those, and no change reaches. */
  unrefreshed: UnrefreshedAssets;
  total: number;
  /** The first ones, up to a limit. */
  wouldFail: FailingCheck[];
  /** True if more would fail, or might fail, than are listed. */
  truncated: boolean;
}

/** The checks of the new project, and the new ids of present nodes. */
export type NewChecks = ReturnType<typeof toNewChecks>;

/** At most this many are listed. */
const MAX_NAMED = 1_000;

export type FailingJoin = ReturnType<typeof createFailingJoin>;

/** @param next null if the user named the changes, so there is no new project */
export function createFailingJoin(next: NewChecks | null) {
  const failing = new Map<string, Check & Pick<FailingCheck, "reason">>();
  const unbuilt: FailingChecks["unbuilt"] = [];
  const skippedModels = new Set<NodeId>();
  /** By the ids of the catalog, each also if the new project has the check no more. */
  const skippedChecks = new Set<string>();
  const unrefreshed = new Map<NodeId, Unrefreshed>();
  let isUnrefreshedCut = false;
  const changes: Change[] = [];
  let truncated = false;
  const add = (check: Check, reason: string, key: string): void => {
    failing.getOrInsert(key, { ...check, reason });
  };
  /** Changes by the ids of the columns that they remove, as the new project would name these. */
  const gone = new Map<string, Change>();
  return {
    /** @param found the checks that the change would let fail, after the rest of the change set is considered */
    add(change: Change, found: FailingByChange): void {
      const position = changes.push(change) - 1;
      for (const each of found.unbuilt) unbuilt.push({ ...each, change: position });
      for (const id of found.skipped.models) skippedModels.add(id);
      for (const id of found.skipped.checks) skippedChecks.add(id);
      for (const each of found.unrefreshed.nodes) unrefreshed.getOrInsert(each.id, each);
      isUnrefreshedCut ||= found.unrefreshed.truncated;
      truncated ||= found.truncated;
      for (const each of found.failing) {
        const isOwn = next !== null && each.connectorIds.includes(next.connectorId);
        const { check, reason } = each;
        if (!isOwn) add(check, reason, check.id);
        else if (stillFails(change, each, next)) add(check, reason, check.object);
      }
      if (next !== null && (change.kind === "column_dropped" || change.kind === "column_renamed")) {
        gone.set(next.sameName(change.id), change);
      }
    },
    /** @param isGone whether the change set drops a node */
    finish({ affected }: Pick<JointImpact, "affected">, isGone: (id: NodeId) => boolean): FailingChecks {
      for (const check of next?.checks.values() ?? []) {
        const change = check.columns.flatMap(({ id }) => gone.get(id) ?? [])[0];
        if (change !== undefined)
          add(check, `It needs \`${lastTwo(change.fqn)}\`, which ${whatOf(change)}.`, check.object);
      }
      const models = skippedModels.difference(new Set(unbuilt.map(({ id }) => id)));
      // Another change than the one that a check needs undone may be why dbt never runs it.
      const unrun = new Set([...models].flatMap((id) => [id, next?.follow(id) ?? id]));
      const all = failing
        .values()
        .filter(({ assets }) => !assets.some((id) => unrun.has(id)))
        .map(({ id, name, kind, assets: [assetId = ""], reason }): FailingCheck => ({
          id,
          name,
          kind,
          assetId,
          reason,
        }))
        .toArray();
      const failed = new Set(all.map(({ id }) => id));
      const reached = new Set(affected.flatMap(({ state, impact }) => (state === "adapted" ? [] : [impact.id])));
      const nodes = [...unrefreshed.values()]
        .filter(({ id }) => !reached.has(id) && !isGone(id))
        .toSorted(compareImpactOrder);
      return {
        unbuilt,
        skipped: { models: models.size, checks: skippedChecks.difference(failed).size },
        unrefreshed: { groups: groupUnrefreshed(nodes), nodes, truncated: isUnrefreshedCut },
        total: all.length,
        wouldFail: all.slice(0, MAX_NAMED),
        truncated: truncated || all.length > MAX_NAMED,
      };
    },
  };
}

/** Whether the new project still has the check, and the check still needs what the change removes. */
function stillFails(
  change: Change,
  { check: { object }, on, why }: FailingNow,
  { checks, follow, sameName, isUnread, platform }: NewChecks,
): boolean {
  const check = checks.get(object);
  if (check === undefined) return isUnread(object);
  if (why === "unbuilt") return check.assets.includes(follow(on));
  // Tests name models by reference, so they find a moved model in its new schema.
  if (why === "changed" && change.kind === "asset_moved") return false;
  const column = check.columns.find(({ id }) => id === sameName(on));
  if (why === "retyped") return column !== undefined && compareTypes(column.type, change.newType, platform) !== "same";
  return column !== undefined || check.assets.includes(on);
}

interface Compared {
  present: PresentProject;
  statements: Pick<NewStatements, "assets" | "errors">;
  next: Pick<NewProject, "checks">;
  found: Pick<ChangeSet, "follows">;
}

export function toNewChecks(
  { name: workspace }: Pick<Workspace, "name">,
  { id: connectorId }: Pick<Connector, "id">,
  { present: { relations, nodes }, statements: { assets, errors }, next: { checks }, found: { follows } }: Compared,
) {
  const byId = new Map(relations.map((relation) => [relation.id, relation]));
  const unread = new Set(errors.map(({ object }) => object));
  /** Returns the new id of a present node. */
  const follow = (id: NodeId): NodeId => follows.get(id) ?? id;
  return {
    /** The id of the connector whose project is compared. */
    connectorId,
    /** By the name that dbt gives them. */
    checks,
    follow,
    /** Returns the id of a column with the same name in the new project, even if there is no such column. */
    sameName(id: NodeId): NodeId {
      const parent = nodes.get(id)?.parentId ?? null;
      if (parent === null) return id;
      const column = byId.get(parent)?.columns.find((each) => each.id === id);
      const ref = assets.get(follow(parent))?.ref;
      return column === undefined || ref === undefined ? id : nodeId(workspace, columnRef(ref, column.name));
    },
    /** The warehouse's adapter, whose types are compared. */
    platform: relations[0]?.platform ?? "",
    /** Whether the new project has a check of this name that could not be read. */
    isUnread: (object: string) => unread.has(object),
  };
}

function whatOf({ kind }: Change): string {
  return kind === "column_renamed" ? "gets another name" : "goes away";
}

function lastTwo(fqn: string): string {
  return fqn.split(".").slice(-2).join(".");
}
