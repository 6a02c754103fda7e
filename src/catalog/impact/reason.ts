/** Why something is affected, in one sentence that a person can check. */
import { capitalize } from "../../characters.ts";
import type { Level } from "../edge.ts";
import type { Effect, EvidenceKind } from "../impact.ts";
import { isDataset } from "../node-types.ts";
import { isWeaker } from "./label.ts";
import {
  bracketed,
  datasetOf,
  nameOf,
  onlyVerbOf,
  type Subject,
  takes,
  titleOf,
  type Use,
  verbOf,
  whyUnknown,
} from "./words.ts";

/** One hop of a path. */
export interface Passage {
  kind: EvidenceKind;
  /** Whether the node that the hop leads to uses no changed column, by whatever path. */
  isUnused: boolean;
  level: Level;
  /** The strongest use; undefined if none is known. */
  use: Use | undefined;
  /** The node of the path that the hop leads to. */
  at: Subject;
  from: Subject;
  to: Subject;
}

/** Of a path with more nodes only the first and the last ones are named. */
const MAX_ROUTE = 6;

/** What the path does to what is affected. */
interface Outcome {
  effect: Effect;
  /** Whether the SQL of what is affected names what goes away. */
  fails: boolean;
}

/**
 * Tells the last hop and its evidence, the distance from the changed asset, and the weakest hop on the way:
 * "Certified metric `revenue` sums `orders.amount` (AGGREGATION), 2 hops from `payments.amount`."
 * @param passages at least one
 */
export function reasonOf(start: Subject, passages: readonly Passage[], { effect, fails }: Outcome): string {
  const last = passages.at(-1);
  if (last === undefined) throw new Error("the changed asset does not affect itself");
  const before = passages.at(-2);
  const told = isHandedOn(last) && before !== undefined ? [last, before] : [last];
  const isRoot = (subject: Subject): boolean => subject.id === start.id;
  const words = told.map((passage) => predicateOf(passage, isNewlyUnused(passages, passage), isRoot(passage.from)));
  return [
    `${capitalize(titleOf(last.at))} ${words.join(", which ")}`,
    distanceOf(start, passages),
    weakestOf(passages, told),
    fails ? `; ${failureOf(last)}` : "",
    effect === "widens" ? "; every value still fits" : "",
    ".",
  ].join("");
}

function failureOf({ use, from }: Passage): string {
  return isReference(use) ? "it fails without it" : `its SQL names ${nameOf(from)}: it fails without it`;
}

function isReference(use: Use | undefined): boolean {
  return use?.transformation === "REFERENCE";
}

/** Whether the end of the hop only passes something on, as a dashboard does that shows a metric. */
function isHandedOn({ kind, level, from, to }: Passage): boolean {
  return level === "asset" && kind !== "NONE" && takes(to.type, from.type) !== "reads";
}

/** After an asset that uses no changed column, the rest of the path uses none either. Only the first one says so. */
function isNewlyUnused(passages: readonly Passage[], passage: Passage): boolean {
  return passages.find(({ isUnused }) => isUnused) === passage;
}

function predicateOf({ kind, level, use, at, from, to }: Passage, isUnused: boolean, isChanged: boolean): string {
  if (level === "column") {
    const verb = isReference(use) ? `names ${nameOf(from)} in its SQL` : `${verbOf(use)} ${nameOf(from)}`;
    const does = `${verb}${bracketed(use)}`;
    return at.id === to.id ? does : `has ${nameOf(to)}, which ${does}`;
  }
  const part = at.id === to.id ? "" : `is a column of ${nameOf(to)}, which `;
  const isWhole = isDataset(from.type);
  const source = isWhole || from.type === "column" ? datasetOf(from) : titleOf(from);
  const reads = `${part}${takes(to.type, from.type)} ${source}`;
  if (kind === "UNKNOWN") {
    const what = from.type === "column" ? `whether it uses ${nameOf(from)}` : "which of its columns";
    return `${reads}, and ${what} is not known (${whyUnknown(to.columnLineage)})`;
  }
  // An INDIRECT hop between assets is one by rows.
  if (kind === "INDIRECT")
    return `${part}reads the rows of ${source} and none of its columns, all of which are affected`;
  if (kind === "NONE")
    return isUnused ? `${reads}, but ${isWhole ? "uses no changed column of it" : NOT_BY_IT}` : reads;
  return isWhole && !isChanged ? `${reads}, all of which may change` : reads;
}

const NOT_BY_IT = "its columns are known to come from elsewhere";

function distanceOf(start: Subject, passages: readonly Passage[]): string {
  if (passages.length < 2) return "";
  if (passages.length === 2) return `, 2 hops from ${nameOf(start)}`;
  const route = [start, ...passages.map(({ at }) => at)].map(nameOf);
  const told =
    route.length > MAX_ROUTE ? [...route.slice(0, 2), `… ${route.length - 4} more …`, ...route.slice(-2)] : route;
  return `, ${passages.length} hops: ${told.join(" → ")}`;
}

/** Tells the first of the weakest hops, if what was told already is stronger. */
function weakestOf(passages: readonly Passage[], told: readonly Passage[]): string {
  const weakest =
    passages.find(({ isUnused }) => isUnused) ??
    passages.reduce((kept, each) => (isWeaker(each.kind, kept.kind) ? each : kept));
  if (weakest.kind === "DIRECT" || told.includes(weakest)) return "";
  // A hop that is as weak was told already. Of NONE, only the first hop gives the reason.
  if (weakest.kind !== "NONE" && told.some((each) => each.kind === weakest.kind)) return "";
  const { kind, level, use, at, from } = weakest;
  const dataset = datasetOf(from);
  if (kind === "INDIRECT" && level === "asset") return `; on the way ${nameOf(at)} reads only the rows of ${dataset}`;
  if (kind === "INDIRECT") return `; on the way ${nameOf(at)} ${onlyVerbOf(use)} ${nameOf(from)}${bracketed(use)}`;
  if (kind === "NONE") return `; on the way ${nameOf(at)} uses no changed column of ${dataset}`;
  const what =
    from.type === "column"
      ? `whether ${nameOf(at)} uses ${nameOf(from)}`
      : `which columns of ${dataset} ${nameOf(at)} uses`;
  return `; on the way it is not known ${what} (${whyUnknown(at.columnLineage)})`;
}
