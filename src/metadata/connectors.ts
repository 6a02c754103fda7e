/**
 * Stores the configured connectors. Their secret options are encrypted when they are written and decrypted when they
 * are read.
 */
import type { Kysely, Selectable } from "kysely";

import { AppError, badField, notFound } from "../errors.ts";
import { type ConnectorId, toConnectorId, type WorkspaceId } from "../ids.ts";
import type { Connector, Schedule } from "./records.ts";
import type { Sealer } from "./sealer.ts";
import { countRows, findEach, findFirst, hasRow, inTransaction, type StoreContext } from "./context.ts";
import type { Tables } from "./tables.ts";

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** A connector's options, and the keys of those that are stored encrypted. */
interface SealedOptions {
  options: Record<string, string>;
  secretOptions: readonly string[];
}

type NewConnector = Pick<Connector, "workspaceId" | "type" | "name"> & SealedOptions;

export function createConnectorStore({ db, now, newId }: StoreContext, sealer: Sealer) {
  const connectorsOf = (workspaceId: WorkspaceId) =>
    db.selectFrom("connectors").selectAll().where("workspaceId", "=", workspaceId);

  const toConnector = (row: Selectable<Tables["connectors"]>): Connector => {
    const { id, workspaceId, name, knownAs, type, state, createdAt, disabledAt, removingAt, receivedAt, removalShare } =
      row;
    const options = { ...row.options };
    for (const [key, sealed] of Object.entries(row.secrets)) options[key] = sealer.open(sealed, sealOwner(id, key));
    const { cron, timeZone, nextRunAt } = row;
    const schedule = cron === null ? null : { cron, timeZone, nextRunAt };
    const known = { id, workspaceId, name, knownAs, type, options, state, createdAt };
    return { ...known, disabledAt, removingAt, receivedAt, schedule, removalShare };
  };

  const toColumns = (id: ConnectorId, { options, secretOptions }: SealedOptions) => {
    const given = Object.entries(options);
    const open = given.filter(([key]) => !secretOptions.includes(key));
    const sealed = given
      .filter(([key]) => secretOptions.includes(key))
      .map(([key, value]) => [key, sealer.seal(value, sealOwner(id, key))]);
    return { options: Object.fromEntries(open), secrets: Object.fromEntries(sealed) };
  };

  type Change = Partial<Omit<Selectable<Tables["connectors"]>, "id" | "workspaceId">>;
  const change = async (
    workspaceId: WorkspaceId,
    id: ConnectorId,
    set: Change,
    on: Kysely<Tables> = db,
  ): Promise<Connector> => {
    const row = await on
      .updateTable("connectors")
      .set(set)
      .where((eb) => eb.and({ workspaceId, id }))
      .returningAll()
      .executeTakeFirstOrThrow(() => notFound("connector", id));
    return toConnector(row);
  };

  return {
    /** @throws AppError `bad_request` if the name is not valid, `conflict` if it is taken */
    async checkName(workspaceId: WorkspaceId, name: string, own?: ConnectorId): Promise<void> {
      requireName(name);
      await requireFree(db, workspaceId, name, own);
    },
    /** @throws AppError as `checkName` */
    async create({ workspaceId, type, name, options, secretOptions }: NewConnector): Promise<Connector> {
      requireName(name);
      const id = newId("con");
      const values = {
        id,
        workspaceId,
        name,
        knownAs: name,
        type,
        ...toColumns(id, { options, secretOptions }),
        createdAt: now(),
      };
      const row = await inTransaction(db, async (trx) => {
        await requireFree(trx, workspaceId, name);
        return trx.insertInto("connectors").values(values).returningAll().executeTakeFirstOrThrow();
      });
      return toConnector(row);
    },
    findById: (workspaceId: WorkspaceId, id: ConnectorId) =>
      findFirst(connectorsOf(workspaceId).where("id", "=", id), toConnector),
    findByName: (workspaceId: WorkspaceId, name: string) =>
      findFirst(connectorsOf(workspaceId).where("name", "=", name), toConnector),
    /** The connector with this name, or else with this id. */
    findNamed: (workspaceId: WorkspaceId, text: string) =>
      findFirst(
        connectorsOf(workspaceId)
          .where((is) => is.or([is("name", "=", text), is("id", "=", toConnectorId(text))]))
          .orderBy((is) => is("name", "=", text), "desc"),
        toConnector,
      ),
    /** One page in the order of names, starting after the name `after`. */
    async list(
      workspaceId: WorkspaceId,
      { after, limit }: { after: string | null; limit: number },
    ): Promise<{ items: Connector[]; hasMore: boolean }> {
      const rows = await connectorsOf(workspaceId)
        .$if(after !== null, (query) => query.where("name", ">", after ?? ""))
        .orderBy("name")
        .limit(limit + 1)
        .execute();
      return { items: rows.slice(0, limit).map(toConnector), hasMore: rows.length > limit };
    },
    count: (workspaceId: WorkspaceId) => countRows(db.selectFrom("connectors").where("workspaceId", "=", workspaceId)),
    /** The connectors in the order of `ids`; null for an id without a connector. */
    loadByIds: (workspaceId: WorkspaceId, ids: readonly ConnectorId[]) =>
      findEach(ids, connectorsOf(workspaceId).where("id", "in", ids), ({ id }) => id, toConnector),
    /** The connectors that the graph knows by these names; null for a name without a connector. */
    loadByKnownNames: (workspaceId: WorkspaceId, names: readonly string[]) =>
      findEach(names, connectorsOf(workspaceId).where("knownAs", "in", names), ({ knownAs }) => knownAs, toConnector),
    /**
     * Replaces all options of the connector. The next crawl reads everything again.
     * @throws AppError `not_found`
     */
    setOptions: (workspaceId: WorkspaceId, id: ConnectorId, options: SealedOptions) =>
      change(workspaceId, id, { ...toColumns(id, options), state: null, optionsChangedAt: now() }),
    /**
     * Changes the name. The graph gets the new name later: see `setKnownAs`.
     * @throws AppError `not_found`; `bad_request` if the name is not valid; `conflict` if it is taken, or if a sync of
     * the connector is running, because that sync writes the old name
     */
    rename: (workspaceId: WorkspaceId, id: ConnectorId, name: string) =>
      inTransaction(db, async (trx) => {
        requireName(name);
        await requireFree(trx, workspaceId, name, id);
        const syncs = trx.selectFrom("syncs").select("id");
        if (await hasRow(syncs.where((eb) => eb.and({ connectorId: id, status: "running" })))) {
          throw new AppError(
            "conflict",
            "A sync of this connector is running. Wait until it ends, or cancel it first.",
          );
        }
        return change(workspaceId, id, { name }, trx);
      }),
    /** Notes the name that the graph uses for the connector from now on. */
    async setKnownAs(workspaceId: WorkspaceId, id: ConnectorId, name: string): Promise<void> {
      await change(workspaceId, id, { knownAs: name });
    },
    /**
     * @param schedule null: it crawls only when it is asked to
     * @throws AppError `not_found`
     */
    setSchedule: (workspaceId: WorkspaceId, id: ConnectorId, schedule: Schedule | null) =>
      change(workspaceId, id, schedule ?? { cron: null, timeZone: "UTC", nextRunAt: null }),
    /**
     * @param percent from 0 to 100
     * @throws AppError `not_found`
     */
    setRemovalShare: (workspaceId: WorkspaceId, id: ConnectorId, percent: number) =>
      change(workspaceId, id, { removalShare: percent }),
    /** @throws AppError `not_found` */
    setDisabled: (workspaceId: WorkspaceId, id: ConnectorId, disabled: boolean) =>
      change(workspaceId, id, { disabledAt: disabled ? now() : null }),
    /**
     * From now on the connector never crawls again, and can only be removed.
     * @throws AppError `not_found`
     */
    beginRemoval: (workspaceId: WorkspaceId, id: ConnectorId) => change(workspaceId, id, { removingAt: now() }),
    /** Connectors of every workspace whose removal or change of name has begun but not ended. */
    async listUnfinished(): Promise<Connector[]> {
      const rows = await db
        .selectFrom("connectors")
        .selectAll()
        .where(({ eb, or }) => or([eb("removingAt", "is not", null), eb("knownAs", "<>", eb.ref("name"))]))
        .execute();
      return rows.map(toConnector);
    },
    /** Deletes a connector whose removal has begun, its syncs and the messages that were sent to it. It may be repeated. */
    endRemoval: (workspaceId: WorkspaceId, id: ConnectorId) =>
      inTransaction(db, async (trx) => {
        const removed = trx.selectFrom("connectors").select("id").where("removingAt", "is not", null);
        if (!(await hasRow(removed.where((eb) => eb.and({ workspaceId, id }))))) return;
        for (const table of ["syncs", "aspects", "inboxMessages", "inboxSubjects"] as const) {
          await trx.deleteFrom(table).where("connectorId", "=", id).execute();
        }
        await trx.deleteFrom("connectors").where("id", "=", id).execute();
      }),
  };
}

/** @throws AppError `bad_request` */
function requireName(name: string): void {
  if (NAME.test(name)) return;
  throw badField("name", "must be 1 to 64 letters, digits, '.', '_' and '-', and begin with a letter or digit");
}

/** @throws AppError `conflict` if another connector has the name */
async function requireFree(
  db: Kysely<Tables>,
  workspaceId: WorkspaceId,
  name: string,
  own?: ConnectorId,
): Promise<void> {
  const taken = await db
    .selectFrom("connectors")
    .select("id")
    .where((eb) => eb.and({ workspaceId, name }))
    .executeTakeFirst();
  if (taken === undefined || taken.id === own) return;
  const message = `A connector named ${name} already exists.`;
  throw new AppError("conflict", message, { details: [{ field: "name", message }] });
}

/** The owner of a sealed option. The option can only be opened with the same connector and key. */
function sealOwner(connectorId: ConnectorId, key: string): string {
  return `${connectorId}/${key}`;
}
