/** The configured connectors. Their secret options are encrypted on the way in and decrypted on the way out. */
import type { Selectable } from "kysely";

import { AppError, badField } from "../errors.ts";
import type { Connector } from "./records.ts";
import type { Sealer } from "./sealer.ts";
import type { StoreContext } from "./context.ts";
import type { Tables } from "./tables.ts";

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

type NewConnector = Pick<Connector, "workspaceId" | "type" | "name" | "options"> & {
  /** Keys of options that are encrypted at rest. */
  secretOptions: readonly string[];
};

export interface ConnectorStore {
  /** @throws AppError `bad_request` for a name that is none, `conflict` for one that is taken */
  create(connector: NewConnector): Promise<Connector>;
  findById(workspaceId: string, id: string): Promise<Connector | null>;
  findByName(workspaceId: string, name: string): Promise<Connector | null>;
  /** One page in the order of names, behind the name `after`. */
  list(
    workspaceId: string,
    page: { after: string | null; limit: number },
  ): Promise<{ items: Connector[]; hasMore: boolean }>;
  count(workspaceId: string): Promise<number>;
  /** The connectors in the order of `ids`, null where there is none. */
  loadByIds(workspaceId: string, ids: readonly string[]): Promise<(Connector | null)[]>;
}

export function createConnectorStore({ db, now, newId }: StoreContext, sealer: Sealer): ConnectorStore {
  const connectorsOf = (workspaceId: string) =>
    db.selectFrom("connectors").selectAll().where("workspaceId", "=", workspaceId);

  const toConnector = (row: Selectable<Tables["connectors"]>): Connector => {
    const options: Record<string, string> = JSON.parse(row.options);
    const secrets: Record<string, string> = JSON.parse(row.secrets);
    for (const [key, sealed] of Object.entries(secrets)) options[key] = sealer.open(sealed, sealOwner(row.id, key));
    const state: Record<string, string> | null = row.state === null ? null : JSON.parse(row.state);
    const { id, workspaceId, name, type, createdAt } = row;
    return { id, workspaceId, name, type, options, state, createdAt };
  };

  return {
    async create({ workspaceId, type, name, options, secretOptions }) {
      if (!NAME.test(name)) {
        throw badField("name", "must be 1 to 64 letters, digits, '.', '_' and '-', and begin with a letter or digit");
      }
      const id = newId("con");
      const given = Object.entries(options);
      const open = given.filter(([key]) => !secretOptions.includes(key));
      const sealed = given
        .filter(([key]) => secretOptions.includes(key))
        .map(([key, value]) => [key, sealer.seal(value, sealOwner(id, key))]);
      const row = {
        id,
        workspaceId,
        name,
        type,
        options: JSON.stringify(Object.fromEntries(open)),
        secrets: JSON.stringify(Object.fromEntries(sealed)),
        state: null,
        createdAt: now(),
      };
      await db.transaction().execute(async (trx) => {
        const taken = await trx
          .selectFrom("connectors")
          .select("id")
          .where("workspaceId", "=", workspaceId)
          .where("name", "=", name)
          .executeTakeFirst();
        if (taken !== undefined) throw new AppError("conflict", `There is a connector named ${name} already.`);
        await trx.insertInto("connectors").values(row).execute();
      });
      return toConnector(row);
    },
    async findById(workspaceId, id) {
      const row = await connectorsOf(workspaceId).where("id", "=", id).executeTakeFirst();
      return row === undefined ? null : toConnector(row);
    },
    async findByName(workspaceId, name) {
      const row = await connectorsOf(workspaceId).where("name", "=", name).executeTakeFirst();
      return row === undefined ? null : toConnector(row);
    },
    async list(workspaceId, { after, limit }) {
      const rows = await connectorsOf(workspaceId)
        .$if(after !== null, (query) => query.where("name", ">", after ?? ""))
        .orderBy("name")
        .limit(limit + 1)
        .execute();
      return { items: rows.slice(0, limit).map(toConnector), hasMore: rows.length > limit };
    },
    async count(workspaceId) {
      const { amount } = await db
        .selectFrom("connectors")
        .select(({ fn }) => fn.countAll<number>().as("amount"))
        .where("workspaceId", "=", workspaceId)
        .executeTakeFirstOrThrow();
      return amount;
    },
    async loadByIds(workspaceId, ids) {
      if (ids.length === 0) return [];
      const rows = await connectorsOf(workspaceId).where("id", "in", ids).execute();
      const byId = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => {
        const row = byId.get(id);
        return row === undefined ? null : toConnector(row);
      });
    },
  };
}

/** A sealed option opens only as this option of this connector. */
function sealOwner(connectorId: string, key: string): string {
  return `${connectorId}/${key}`;
}
