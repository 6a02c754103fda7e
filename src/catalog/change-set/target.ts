/**
 * Tells a build for another target from a move. A build of a pull request has schemas of its own, and often a database:
 * every model is then elsewhere, and none has moved.
 */
import { compareCodePoints, fold } from "../text.ts";
import type { RelationIdentity, Uncompared } from "./change.ts";

/** Places that a note names. */
const MAX_TOLD = 5;

/** One thing at present and in the new state. */
export interface Placed {
  old: RelationIdentity;
  new: RelationIdentity & {
    /** Whether the project builds it, and does not only read it. */
    built: boolean;
  };
}

export interface Target {
  /** Whether it is where the target puts it, so that it has not moved. */
  explains(placed: Placed): boolean;
  note: Uncompared;
}

/** The database and schema of a relation, as far as it has them. */
export function placeOf({ fqn, name }: Pick<RelationIdentity, "fqn" | "name">): string {
  return fqn.slice(0, Math.max(0, fqn.length - name.length - 1));
}

/**
 * The target that the new state was built for, or null where it is the present one. It is another one if no model is where
 * it was: while one is, the others have moved. Seeds, snapshots and sources may stay, since projects often give them a
 * fixed place.
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
      // What the project only reads has moved unless all of its place has, and nothing else is there.
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
  /** Folded; where most of them are comes first. */
  places: string[];
}

/** By the folded present places. */
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
  const told = moved.slice(0, MAX_TOLD).map(({ name, places }) => `${name} is ${places.join(" and ")}`);
  const more = moved.length > told.length ? [`${moved.length - told.length} more`] : [];
  const message =
    `all models are built in another place, such as ${old.fqn} as ${next.fqn}: it is taken as another target ` +
    `(${[...told, ...more].join(", ")})`;
  return isOneToOne(built)
    ? message
    : `${message}. These places are not one to one: models are told apart by dbt's ids`;
}

function isOneToOne(built: ReadonlyMap<string, Mapping>): boolean {
  const places = [...built.values()].flatMap((mapping) => mapping.places);
  return places.length === built.size && new Set(places).size === places.length;
}
