/** What others say about entities: see `catalog/aspect.ts`. Each sync of a connector reads all that was said to it. */
import { type Kysely, sql } from "kysely";

import { type AspectReader, type AspectRow, keepLatest } from "../catalog/aspect.ts";
import { AppError } from "../errors.ts";
import type { ConnectorId, WorkspaceId } from "../ids.ts";
import { inTransaction, type StoreContext } from "./context.ts";
import type { Tables } from "./tables.ts";

/** How many rows one statement takes. */
export const MAX_ROWS = 500;
/** How far a client's clock may be ahead. */
const MAX_AHEAD_MS = 24 * 60 * 60 * 1_000;
/** Of one connector. */
export const MAX_KEPT_BYTES = 512 * 1024 * 1024;
/** Entities whose rows are in memory at one time. */
const PAGE = 100;

export function createAspectStore({ db, now }: StoreContext) {
  const ofWorkspace = (workspaceId: WorkspaceId) =>
    db
      .selectFrom("aspects as a")
      .innerJoin("connectors as c", "c.id", "a.connectorId")
      .where("c.workspaceId", "=", workspaceId);
  const newestOf = (workspaceId: WorkspaceId, urn: string) =>
    ofWorkspace(workspaceId).where("a.urn", "=", urn).orderBy("a.at", "desc");

  return {
    /**
     * Stores rows in place of older ones, and notes that no sync has read them yet.
     * @param rows at most `MAX_ROWS`
     * @throws AppError `conflict` if the connector is being removed, or if it would keep more than `MAX_KEPT_BYTES`
     */
    add: (connectorId: ConnectorId, rows: readonly AspectRow[]) =>
      inTransaction(db, async (trx) => {
        // One statement may not change a row twice.
        const latest = new Map<string, AspectRow>();
        const at = now();
        const [come, limit] = [Date.parse(at), Date.parse(at) + MAX_AHEAD_MS];
        // What a wrong clock says of the future would count for ever.
        for (const row of rows) keepLatest(latest, row.at === 0 || row.at > limit ? { ...row, at: come } : row);
        const urns = urnsOf(rows);
        const before = await measure(trx, connectorId, urns);
        await replace(trx, connectorId, [...latest.values()]);
        const more = (await measure(trx, connectorId, urns)) - before;
        await noteAdded(trx, connectorId, { more, at });
      }),
    readerOf(connectorId: ConnectorId): AspectReader {
      const own = () => db.selectFrom("aspects").where("connectorId", "=", connectorId);
      const load = (urns: readonly string[], wanted?: readonly string[]): Promise<AspectRow[]> =>
        own()
          .select(["entity", "urn", "aspect", "part", "at", "unkept"])
          .select(({ eb, ref }) =>
            wanted === undefined
              ? ref("body").as("body")
              : eb.case().when("aspect", "in", wanted).then(ref("body")).else(null).end().as("body"),
          )
          .where("urn", "in", urns)
          .orderBy("urn")
          .execute();
      return {
        load: (urns) => load(urns),
        async *pages(wanted) {
          let after = "";
          for (;;) {
            const page = own().select("urn").distinct().where("urn", ">", after).orderBy("urn").limit(PAGE);
            const urns = (await page.execute()).map(({ urn }) => urn);
            const last = urns.at(-1);
            if (last === undefined) return;
            yield await load(urns, wanted);
            after = last;
          }
        },
        remove: (rows) =>
          inTransaction(db, async (trx) => {
            const before = await measure(trx, connectorId, urnsOf(rows));
            for (const { urn, aspect, part, at } of rows) {
              await trx
                .deleteFrom("aspects")
                .where((eb) => eb.and({ connectorId, urn, aspect, part, at }))
                .execute();
            }
            const less = before - (await measure(trx, connectorId, urnsOf(rows)));
            await trx
              .updateTable("connectors")
              .set(({ eb }) => ({ aspectBytes: eb("aspectBytes", "-", less) }))
              .where("id", "=", connectorId)
              .execute();
          }),
      };
    },
    /** The newest body of an aspect, of any connector. */
    async findBody(workspaceId: WorkspaceId, urn: string, aspect: string): Promise<string | null> {
      const newest = newestOf(workspaceId, urn).where("a.aspect", "=", aspect).select("a.body").limit(1);
      return (await newest.executeTakeFirst())?.body ?? null;
    },
    /** What was said to any connector about the entities of one kind, such as `domain`: at most so many rows. */
    listOfKind: (workspaceId: WorkspaceId, entity: string, most: number): Promise<AspectRow[]> =>
      ofWorkspace(workspaceId)
        .select(["a.entity", "a.urn", "a.aspect", "a.part", "a.at", "a.unkept", "a.body"])
        // The key of the table finds these. ";" follows ":".
        .where("a.urn", ">=", `urn:li:${entity}:`)
        .where("a.urn", "<", `urn:li:${entity};`)
        .orderBy("a.urn")
        .limit(most)
        .execute(),
    /** The names of the connectors that something about the entity was said to, the latest first. */
    async listConnectors(workspaceId: WorkspaceId, urn: string): Promise<string[]> {
      const rows = await newestOf(workspaceId, urn).select("c.name").execute();
      return [...new Set(rows.map(({ name }) => name))];
    },
  };
}

function urnsOf(rows: readonly AspectRow[]): string[] {
  return [...new Set(rows.map(({ urn }) => urn))];
}

/** @throws AppError `conflict` */
async function noteAdded(
  trx: Kysely<Tables>,
  id: ConnectorId,
  { more, at }: { more: number; at: string },
): Promise<void> {
  const row = await trx
    .updateTable("connectors")
    .set(({ eb, fn, val }) => ({
      aspectsAt: at,
      unreadSince: fn.coalesce("unreadSince", val(at)),
      aspectBytes: eb("aspectBytes", "+", more),
    }))
    .where("id", "=", id)
    .where("removingAt", "is", null)
    .returning(["name", "aspectBytes"])
    .executeTakeFirst();
  if (row === undefined) throw new AppError("conflict", "The connector of these proposals is being removed.");
  if (more <= 0 || row.aspectBytes <= MAX_KEPT_BYTES) return;
  const most = `${MAX_KEPT_BYTES / 1024 ** 2} MiB`;
  const advice = "send the rest under another pipeline_name, or remove the connector and send again what is still true";
  throw new AppError("conflict", `The connector ${row.name} keeps at most ${most} of proposals: ${advice}.`);
}

/** What a row takes beside its texts. */
const ROW_BYTES = 100;

/** What the rows of these entities take. */
async function measure(trx: Kysely<Tables>, connectorId: ConnectorId, urns: readonly string[]): Promise<number> {
  const { bytes } = await trx
    .selectFrom("aspects")
    .select(
      sql<number | null>`sum(${sql.lit(ROW_BYTES)} + octet_length(urn) + coalesce(octet_length(body), 0))`.as("bytes"),
    )
    .where("connectorId", "=", connectorId)
    .where("urn", "in", urns)
    .executeTakeFirstOrThrow();
  return bytes ?? 0;
}

async function replace(trx: Kysely<Tables>, connectorId: ConnectorId, rows: readonly AspectRow[]): Promise<void> {
  await trx
    .insertInto("aspects")
    .values(rows.map((row) => Object.assign({ connectorId }, row)))
    .onConflict((conflict) =>
      conflict
        .columns(["connectorId", "urn", "aspect", "part"])
        .doUpdateSet(({ ref }) => ({
          entity: ref("excluded.entity"),
          at: ref("excluded.at"),
          body: ref("excluded.body"),
        }))
        // As `keepLatest` orders them.
        .where(sql<boolean>`(excluded.at, coalesce(excluded.body, '')) > (aspects.at, coalesce(aspects.body, ''))`),
    )
    .execute();
}
