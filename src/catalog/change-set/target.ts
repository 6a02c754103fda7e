/**
 * Distinguishes a build for another target from a move. The build of a pull request has its own schemas, and often its
 * own database. Every model is then in another schema, and none has moved.
 */
import { compareCodePoints, fold } from "../text.ts";
import type { RelationIdentity, Uncompared } from "./change.ts";

/** How many schemas a note lists. */
const MAX_LISTED = 5;

/** One relation, now and in the new state. */
export interface MatchedRelation {
  old: RelationIdentity;
  new: RelationIdentity & {
    /** Whether the project builds it. If not, the project only reads it. */
    built: boolean;
  };
}

export interface Target {
  /** Whether the other target explains the new schema, so that the relation has not moved. */
  explains(match: MatchedRelation): boolean;
  note: Uncompared;
}

/** The database and schema of a relation, dot-separated; "" if it has none. */
export function schemaPathOf({ fqn, name }: Pick<RelationIdentity, "fqn" | "name">): string {
  return fqn.slice(0, Math.max(0, fqn.length - name.length - 1));
}

/**
 * The target that the new state was built for. Returns null if it is the present target. It is another target if no
 * model is in the schema where it was. If one model still is, the others have moved. Seeds, snapshots and sources may
 * stay, since projects often give them a fixed schema.
 */
export function findTarget(matches: readonly MatchedRelation[]): Target | null {
  const models = matches.filter(({ new: { type } }) => type === "model");
  const [example] = models;
  if (example === undefined || models.some((match) => !hasOtherSchema(match))) return null;
  const built = mapSchemas(matches.filter((match) => match.new.built));
  const read = mapSchemas(matches.filter((match) => !match.new.built));
  return {
    explains(match) {
      const { old, new: next } = match;
      if (fold(old.name) !== fold(next.name)) return false;
      const [from, to] = [fold(schemaPathOf(old)), fold(schemaPathOf(next))];
      if (next.built) return built.get(from)?.newPaths[0] === to;
      // A relation that the project only reads has moved, unless all relations of its schema are now in one new schema,
      // and no others are there.
      const known = read.get(from);
      const others = [...read.values()].filter(({ newPaths }) => newPaths.includes(to));
      return known?.newPaths.length === 1 && known.newPaths[0] === to && others.length === 1;
    },
    note: { object: "", message: describeTarget(example, built), unread: null },
  };
}

function hasOtherSchema({ old, new: next }: MatchedRelation): boolean {
  return fold(schemaPathOf(old)) !== fold(schemaPathOf(next));
}

/** The new schemas of the relations of one present schema. */
interface Mapping {
  /** As it is written. */
  name: string;
  /** Folded. The schema with the most relations comes first. */
  newPaths: string[];
}

/** Maps each folded present schema to the new schemas of its relations. */
function mapSchemas(matches: readonly MatchedRelation[]): Map<string, Mapping> {
  const byPath = Map.groupBy(matches, ({ old }) => fold(schemaPathOf(old)));
  return new Map(
    [...byPath].map(([from, group]) => {
      const counts = Map.groupBy(group, (match) => fold(schemaPathOf(match.new)));
      const newPaths = [...counts].toSorted(
        ([a, some], [b, others]) => others.length - some.length || compareCodePoints(a, b),
      );
      const [first] = group;
      return [
        from,
        { name: first === undefined ? from : schemaPathOf(first.old), newPaths: newPaths.map(([path]) => path) },
      ];
    }),
  );
}

function describeTarget({ old, new: next }: MatchedRelation, built: ReadonlyMap<string, Mapping>): string {
  const moved = [...built.values()]
    .filter(({ name, newPaths }) => newPaths[0] !== fold(name))
    .toSorted((a, b) => compareCodePoints(a.name, b.name));
  const listed = moved.slice(0, MAX_LISTED).map(({ name, newPaths }) => `${name} is ${newPaths.join(" and ")}`);
  const more = moved.length > listed.length ? [`${moved.length - listed.length} more`] : [];
  const message =
    `all models are built in another place, such as ${old.fqn} as ${next.fqn}: this is taken for another target ` +
    `(${[...listed, ...more].join(", ")})`;
  return isOneToOne(built) ? message : `${message}. These places are not one to one: models are matched by dbt's ids`;
}

function isOneToOne(built: ReadonlyMap<string, Mapping>): boolean {
  const newPaths = [...built.values()].flatMap((mapping) => mapping.newPaths);
  return newPaths.length === built.size && new Set(newPaths).size === newPaths.length;
}
