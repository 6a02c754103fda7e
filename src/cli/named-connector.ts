/** Finds the connector that is named on the command line. */
import { AppError } from "../errors.ts";
import type { Client } from "./client.ts";
import { listAll } from "./list-all.ts";
import type { Item } from "./operations.ts";

export type NamedConnector = Item<"ConnectorList">;

/** @throws AppError `not_found` */
export async function getConnector(client: Client, nameOrId: string): Promise<NamedConnector> {
  const all = await listAll(client, "ConnectorList");
  const found = all.find(({ name }) => name === nameOrId) ?? all.find(({ id }) => id === nameOrId);
  if (found !== undefined) return found;
  const where = client.here === null ? "" : ` in the workspace ${client.here.workspace.name}`;
  throw new AppError(
    "not_found",
    `There is no connector ${nameOrId}${where}; tributary connector list shows what there is.`,
  );
}
