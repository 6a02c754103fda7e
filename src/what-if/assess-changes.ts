/** Assesses the changes of a set one by one, and joins their impacts. */
import type { Change } from "../catalog/change-set/change.ts";
import { createJoining, type JointImpact } from "../catalog/change-set/join-impact.ts";
import { type AffectedNode, type Impact, RISKS, type Supposition } from "../catalog/impact.ts";
import { AppError } from "../errors.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import type { NodeId, WorkspaceId } from "../ids.ts";
import type { Caller } from "../work/caller.ts";
import type { Slicer } from "../work/slicer.ts";
import type { Adaptation } from "./adaptation.ts";
import type { FailingJoin } from "./failing-checks.ts";

/**
 * Impacts with this many hops in total are kept for the second pass. Others are assessed again, to limit the memory.
 */
const MAX_KEPT_HOPS = 200_000;
/** At most this many failing checks are read for each change. */
const MAX_CHECKS = 10_000;
const RETRY_SECONDS = 5;

export interface Assessing {
  caller: Caller;
  /** Reads the graph on the caller's behalf. */
  graph: GraphReader;
  /** The workspace's id. */
  workspace: WorkspaceId;
  slicer: Slicer;
  /** For each change, at most this many affected nodes are kept. */
  maxAffected: number;
}

/** The impact of one change if nothing else were changed. */
interface Alone {
  change: Change;
  ids: readonly NodeId[];
  truncated: boolean;
  /** Null if it was too large to keep. */
  impact: Impact | null;
}

/** The impacts of all changes if nothing were adapted to them. */
export interface Reach {
  changes: readonly Alone[];
  /** Each node once, with its highest risk. */
  affected: ReadonlyMap<NodeId, AffectedNode>;
}

export async function assessAlone(assessing: Assessing, changes: readonly Change[]): Promise<Reach> {
  const { caller, slicer } = assessing;
  const affected = new Map<NodeId, AffectedNode>();
  const alone: Alone[] = [];
  /** Each change once, though it may be named several times. */
  const assessed = new Map<string, Alone>();
  let kept = 0;
  for (const change of changes) {
    const same = assessed.get(JSON.stringify(change));
    if (same !== undefined) {
      alone.push(same);
      continue;
    }
    const impact = await assess(assessing, change, null);
    let [hops, added] = [0, 0];
    for (const node of impact.affected) {
      if (slicer.isDue()) await slicer.next();
      hops += node.path.length;
      const known = affected.get(node.id);
      if (known === undefined) added += node.path.length;
      if (known === undefined || isWorse(node, known)) affected.set(node.id, node);
    }
    caller.charge?.(added);
    const fits = kept + hops <= MAX_KEPT_HOPS;
    if (fits) kept += hops;
    const ids = impact.affected.map(({ id }) => id);
    const one = { change, ids, truncated: impact.truncated, impact: fits ? impact : null };
    assessed.set(JSON.stringify(change), one);
    alone.push(one);
  }
  return { changes: alone, affected };
}

/** The same, with what follows from other changes after these: a copy of a renamed column is renamed, too. */
export function causesFirst({ changes, affected }: Reach): Reach {
  const isCause = ({ change }: Alone): boolean => !affected.has(change.id);
  return { changes: [...changes.filter(isCause), ...changes.filter((each) => !isCause(each))], affected };
}

/** Joins the impacts that remain, without what the change set adapts or drops. */
export async function joinRemaining(
  assessing: Assessing,
  { changes, affected }: Reach,
  { isGone, supposeFor }: Adaptation,
  failing: FailingJoin,
): Promise<JointImpact> {
  const { slicer } = assessing;
  const joining = createJoining(isGone);
  for (const { change, ids, truncated, impact } of changes) {
    const supposing = await supposeFor(change, ids);
    const left = supposing === null && impact !== null ? impact : await assess(assessing, change, supposing);
    const all = { truncated, affected: ids.flatMap((id) => affected.get(id) ?? []) };
    await slicer.run(joining.add({ change, all, left }));
    if (left.checks !== undefined) failing.add(change, left.checks);
  }
  return slicer.run(joining.finish());
}

function isWorse(a: AffectedNode, b: AffectedNode): boolean {
  return RISKS.indexOf(a.risk) < RISKS.indexOf(b.risk) || (a.risk === b.risk && a.hops < b.hops);
}

async function assess(
  { graph, workspace, slicer, maxAffected }: Assessing,
  change: Change,
  supposing: Supposition | null,
): Promise<Impact> {
  await slicer.next();
  const impact = await graph.assessImpact(workspace, {
    root: change.id,
    change: change.changeType,
    newType: change.changeType === "type_change" ? change.newType || null : null,
    asWhole: change.kind === "asset_dropped" || change.kind === "asset_moved",
    maxAffected,
    maxChecks: MAX_CHECKS,
    ...(supposing === null ? {} : { supposing }),
  });
  if (impact !== null) return impact;
  throw new AppError("unavailable", `${change.fqn} was deleted while it was assessed; try again.`, {
    retryAfterSeconds: RETRY_SECONDS,
    endsRequest: true,
  });
}
