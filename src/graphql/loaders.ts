/** Batches the reads of one request, so that each level of a nested query is one call to a store. */
import { createContextCache } from "@pothos/core";
import DataLoader from "dataloader";

import type { WorkspaceId } from "../ids.ts";
import { batchesOf } from "../work/batches.ts";
import { silentOnceAborted } from "../work/unless-aborted.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";

/** How many keys are answered in one slice of the event loop. */
const MAX_BATCH = 200;
/** How many rows one call to a store may read, which takes some milliseconds. */
const MAX_ROWS_AT_ONCE = 4_000;

/** Answers one value for each key, in the order of the keys. */
type Read<K, V> = (context: GraphqlContext, workspace: WorkspaceId, keys: readonly K[]) => Promise<V[]>;

interface Weights<K, V> {
  /** How many rows a key may have, at most or usually; 1 if left out. */
  expect?: (key: K) => number;
  /** How many rows a value has, in addition to the one that is charged for its key; 0 if left out. */
  weigh?: (value: V) => number;
}

/** Lets a read run in slices. Each slice waits for a turn and charges the request's budget for its rows. */
function inSlices<K, V>(
  read: Read<K, V>,
  { expect = () => 1, weigh = () => 0 }: Weights<K, V>,
): (keys: readonly K[], context: GraphqlContext) => Promise<V[]> {
  const readAll = async (keys: readonly K[], context: GraphqlContext): Promise<V[]> => {
    const { budget, nextTurn } = context;
    const workspace = workspaceOf(context);
    const values: V[] = [];
    for (const slice of batchesOf(keys, MAX_ROWS_AT_ONCE, expect)) {
      budget.draw("rows", slice.length);
      await nextTurn();
      const found = await read(context, workspace, slice);
      budget.draw("rows", sum(found.map(weigh)));
      values.push(...found);
    }
    return values;
  };
  // After an abort the fields never settle: failing thousands of them one by one would hold the event loop.
  return (keys, context) => silentOnceAborted(context.signal, readAll(keys, context));
}

/** The loading options of @pothos/plugin-dataloader, for a type whose objects are found by their ids, or for a field. */
export function loadEach<K, V>(read: Read<K, V | null>) {
  // The plugin has no type for a key without a value. The fields that may find nothing are nullable.
  const load = inSlices(read, {}) as (keys: readonly K[], context: GraphqlContext) => Promise<V[]>;
  return { load, loaderOptions: { maxBatchSize: MAX_BATCH } };
}

/** A type whose objects are loaded by their ids. */
interface Loadable<K, V> {
  getDataloader(context: GraphqlContext): Pick<DataLoader<K, V>, "load">;
}

/** Finds one object of a type; null if there is none. */
export function findById<K, V>(type: Loadable<K, V>, id: K, context: GraphqlContext): Promise<V | null> {
  return type.getDataloader(context).load(id);
}

/**
 * Makes a loader for values that several fields share, or that depend on more than one argument. `t.loadable` has a loader
 * for each field, and passes the arguments of its first caller to all.
 * @returns a function that answers the loader of a request
 */
export function createLoader<K, V, C = K>(
  read: Read<K, V>,
  { expect, weigh, ...options }: DataLoader.Options<K, V, C> & Weights<K, V> = {},
): (context: GraphqlContext) => DataLoader<K, V, C> {
  const load = inSlices(read, { ...(expect && { expect }), ...(weigh && { weigh }) });
  return createContextCache(
    (context: GraphqlContext) =>
      new DataLoader<K, V, C>((keys) => load(keys, context), { maxBatchSize: MAX_BATCH, ...options }),
  );
}

const unitLoader = createContextCache(
  ({ takeUnits }: GraphqlContext) =>
    new DataLoader<object, true>(
      async (asked) => {
        await takeUnits(asked.length);
        return asked.map(() => true);
      },
      { cache: false },
    ),
);

/** Takes a unit of the rate limit for a nested walk, impact or reading of SQL: for all of a level at once. */
export async function takeNestedUnit(context: GraphqlContext): Promise<void> {
  await unitLoader(context).load({});
}

export function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
