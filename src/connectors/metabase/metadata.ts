/** What queries refer to by number: tables, fields, segments, snippets and people. Each is asked for once. */
import DataLoader from "dataloader";

import { ApiFailure } from "../http/api-faults.ts";
import type { MetabaseApi } from "./api.ts";
import type { Field, Person, Table } from "./shapes.ts";

/** Loads what is asked for, and notes what could not be read. */
export interface Metadata {
  tables(ids: Iterable<number>): Promise<Loaded<Table>>;
  fields(ids: Iterable<number>): Promise<Loaded<Field>>;
  /** The definitions of segments. */
  segments(ids: Iterable<number>): Promise<Loaded<unknown>>;
  /** The names of the columns that cards yield. */
  cardColumns(ids: Iterable<number>): Promise<Loaded<string[]>>;
  /** The contents of all snippets by their names. */
  snippets(): Promise<{ found: ReadonlyMap<string, string>; failures: ApiFailure[] }>;
  /** Notes who created something, if an answer contains that. */
  meet(id: number | null, person: Person | null): void;
  /** Null if Metabase does not answer: only administrators may ask for other users. */
  person(id: number | null): Promise<Person | null>;
}

export interface Loaded<T> {
  found: ReadonlyMap<number, T>;
  failures: ApiFailure[];
}

export function createMetadata(api: MetabaseApi): Metadata {
  const tables = createLoader((id) => api.table(id));
  const fields = createLoader((id) => api.field(id));
  const segments = createLoader(async (id) => (await api.segment(id)).definition);
  const columns = createLoader(async (id) => {
    const { result_metadata: found } = await api.cardColumns(id);
    return (found ?? []).map(({ name }) => name);
  });
  const snippets = createLoader(
    async () => new Map((await api.snippets()).map(({ name, content }) => [name, content])),
  );
  const people = new Map<number, Person>();
  const users = createLoader((id) => api.user(id));
  return {
    tables,
    async fields(ids) {
      const asked = [...ids];
      const { found, failures } = await fields(asked);
      // The fields around nested ones.
      const around = [...found.values()].flatMap(({ parent_id: id }) => (id === null || found.has(id) ? [] : [id]));
      if (around.length === 0) return { found, failures };
      const more = await this.fields(around);
      return { found: new Map([...found, ...more.found]), failures: [...failures, ...more.failures] };
    },
    segments,
    cardColumns: columns,
    async snippets() {
      const { found, failures } = await snippets([0]);
      return { found: found.get(0) ?? new Map(), failures };
    },
    meet(id, person) {
      if (id !== null && person !== null) people.set(id, person);
    },
    async person(id) {
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
      if (outcome instanceof ApiFailure && !outcome.isFatal) loaded.failures.push(outcome);
      else if (outcome instanceof Error) throw outcome;
      else loaded.found.set(id, outcome);
    }
    return loaded;
  };
}
