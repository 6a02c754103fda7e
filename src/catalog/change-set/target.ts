/**
 * Distinguishes a build for another target from a move. The build of a pull request has its own schemas, and often its
 * own database. Every model is then in another place, and none has moved.
 */
import { compareCodePoints, fold } from "../text.ts";
import type { RelationIdentity, Uncompared } from "./change.ts";

/** How many places a note lists. */
const MAX_PLACES = 5;

/** One thing, now and in the new state. */
export interface Placed {
  old: RelationIdentity;
  new: RelationIdentity & {
    /** Whether the project builds it. If not, the project only reads it. */
    built: boolean;
  };
}

export interface Target {
  /** Whether the other target explains the new place, so that the thing has not moved. */
  explains(placed: Placed): boolean;
  note: Uncompared;
}

/** The database and schema of a relation, if it has them. */
export function placeOf({ fqn, name }: Pick<RelationIdentity, "fqn" | "name">): string {
  return fqn.slice(0, Math.max(0, fqn.length - name.length - 1));
}

/**
 * The target that the new state was built for. Returns null if it is the present target. It is another target if no
 * model is where it was: while one model is, the others have moved. Seeds, snapshots and sources may stay, since
 * projects often give them a fixed place.
 */
export function findTarget(matches: readonly Placed[]): Target | null {
  const models = matches.filter(({ new: { type } }) => type === "model");
  const [example] = models;
  if (example === undefined || models.some((match) => !isElsewhere(match))) return null;
  const built = mapPlaces(matches.filter((match) => match.new.built));
  const read = mapPlaces(matches.filter((match) => !match.new.built));
  return {
    explains(match) {
      const { old, new: next } = match;
      if (fold(old.name) !== fold(next.name)) return false;
      const [from, to] = [fold(placeOf(old)), fold(placeOf(next))];
      if (next.built) return built.get(from)?.places[0] === to;
      // A thing that the project only reads has moved, unless everything of its place is now in one new place and
      // nothing else is there.
      const known = read.get(from);
      const others = [...read.values()].filter(({ places }) => places.includes(to));
      return known?.places.length === 1 && known.places[0] === to && others.length === 1;
    },
    note: { object: "", message: describeTarget(example, built) },
  };
}

function isElsewhere({ old, new: next }: Placed): boolean {
  return fold(placeOf(old)) !== fold(placeOf(next));
}

/** Where the things of one present place are in the new state. */
interface Mapping {
  /** As it is written. */
  name: string;
  /** Folded. The place with the most things comes first. */
  places: string[];
}

/** Maps each folded present place to the new places of its things. */
function mapPlaces(matches: readonly Placed[]): Map<string, Mapping> {
  const byPlace = Map.groupBy(matches, ({ old }) => fold(placeOf(old)));
  return new Map(
    [...byPlace].map(([from, group]) => {
      const counts = Map.groupBy(group, (match) => fold(placeOf(match.new)));
      const places = [...counts].toSorted(
        ([a, some], [b, others]) => others.length - some.length || compareCodePoints(a, b),
      );
      const [first] = group;
      return [from, { name: first === undefined ? from : placeOf(first.old), places: places.map(([place]) => place) }];
    }),
  );
}

function describeTarget({ old, new: next }: Placed, built: ReadonlyMap<string, Mapping>): string {
  const moved = [...built.values()]
    .filter(({ name, places }) => places[0] !== fold(name))
    .toSorted((a, b) => compareCodePoints(a.name, b.name));
  const listed = moved.slice(0, MAX_PLACES).map(({ name, places }) => `${name} is ${places.join(" and ")}`);
  const more = moved.length > listed.length ? [`${moved.length - listed.length} more`] : [];
  const message =
    `all models are built in another place, such as ${old.fqn} as ${next.fqn}: this is taken for another target ` +
    `(${[...listed, ...more].join(", ")})`;
  return isOneToOne(built) ? message : `${message}. These places are not one to one: models are matched by dbt's ids`;
}

function isOneToOne(built: ReadonlyMap<string, Mapping>): boolean {
  const places = [...built.values()].flatMap((mapping) => mapping.places);
  return places.length === built.size && new Set(places).size === places.length;
}
