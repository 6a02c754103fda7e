/** Finds the connector that is named on the command line. */
import { z } from "zod";

import { AppError } from "../errors.ts";
import type { Client } from "./client.ts";
import { listAll } from "./list-all.ts";

export const connector = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  health: z.string(),
  lastSync: z.object({ id: z.string(), status: z.string(), queuedAt: z.string() }).nullable(),
  schedule: z.object({ cron: z.string(), timeZone: z.string(), nextRunAt: z.string().nullable() }).nullable(),
});

export type NamedConnector = z.output<typeof connector>;

/** @throws AppError `not_found` */
export async function getConnector(client: Client, nameOrId: string): Promise<NamedConnector> {
  const all = await listAll(client, "ConnectorList", connector);
  const found = all.find(({ name }) => name === nameOrId) ?? all.find(({ id }) => id === nameOrId);
  if (found !== undefined) return found;
  const where = client.here === null ? "" : ` in the workspace ${client.here.workspace.name}`;
  throw new AppError(
    "not_found",
    `There is no connector ${nameOrId}${where}; tributary connector list shows what there is.`,
  );
}
