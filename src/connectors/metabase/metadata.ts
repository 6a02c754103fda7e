/** What queries refer to by number: tables, fields, segments, snippets and people. Each is asked for once. */
import DataLoader from "dataloader";

import { type ApiFailure, passingFailure } from "../http/api-faults.ts";
import type { MetabaseApi } from "./api.ts";
import type { Field, Person } from "./shapes.ts";

/** Loads what is asked for, and notes what could not be read. */
export type Metadata = ReturnType<typeof createMetadata>;

export interface Loaded<T> {
  found: ReadonlyMap<number, T>;
  failures: ApiFailure[];
}

export function createMetadata(api: MetabaseApi) {
  const tables = createLoader((id) => api.table(id));
  const fields = createLoader((id) => api.field(id));
  /** The definitions of segments. */
  const segments = createLoader(async (id) => (await api.segment(id)).definition);
  const columns = createLoader(async (id) => {
    const { result_metadata: found } = await api.cardColumns(id);
    return found.map(({ name }) => name);
  });
  const snippets = createLoader(
    async () => new Map((await api.snippets()).map(({ name, content }) => [name, content])),
  );
  const people = new Map<number, Person>();
  const users = createLoader((id) => api.user(id));
  return {
    tables,
    async fields(ids: Iterable<number>): Promise<Loaded<Field>> {
      const asked = [...ids];
      const { found, failures } = await fields(asked);
      // The fields around nested ones.
      const around = [...found.values()].flatMap(({ parent_id: id }) => (id === null || found.has(id) ? [] : [id]));
      if (around.length === 0) return { found, failures };
      const more = await this.fields(around);
      return { found: new Map([...found, ...more.found]), failures: [...failures, ...more.failures] };
    },
    segments,
    /** The names of the columns that cards yield. */
    cardColumns: columns,
    /** The contents of all snippets by their names. */
    async snippets(): Promise<{ found: ReadonlyMap<string, string>; failures: ApiFailure[] }> {
      const { found, failures } = await snippets([0]);
      return { found: found.get(0) ?? new Map(), failures };
    },
    /** Notes who created something, if an answer contains that. */
    meet(id: number | null, person: Person | null): void {
      if (id !== null && person !== null) people.set(id, person);
    },
    /** Null if Metabase does not answer: only administrators may ask for other users. */
    async person(id: number | null): Promise<Person | null> {
      if (id === null) return null;
      const met = people.get(id);
      if (met !== undefined) return met;
      return (await users([id])).found.get(id) ?? null;
    },
  };
}

/** @throws ApiFailure if everything else would fail too */
function createLoader<T>(load: (id: number) => Promise<T>): (ids: Iterable<number>) => Promise<Loaded<T>> {
  const loader = new DataLoader<number, T>(async ([id = 0]) => [await load(id)], { batch: false });
  return async (ids) => {
    const asked = [...new Set(ids)];
    const loaded: Loaded<T> & { found: Map<number, T> } = { found: new Map(), failures: [] };
    const outcomes = await loader.loadMany(asked);
    for (const id of asked) {
      const outcome = outcomes.shift() as T | Error;
      if (outcome instanceof Error) loaded.failures.push(passingFailure(outcome));
      else loaded.found.set(id, outcome);
    }
    return loaded;
  };
}
