/** Crawls a test's PostgreSQL server as the service does. */
import { createConnectorFinder } from "../../src/connectors/registry.ts";
import { parseSettings } from "../../src/settings/settings.ts";
import type { openCrawls } from "./crawls.ts";

/** The settings of an operator for a database on this machine. */
export const LOCAL_SETTINGS = { ALLOW_PRIVATE_SOURCES: "127.0.0.0/8" };

export const findLocalType = createConnectorFinder(parseSettings(LOCAL_SETTINGS), null);

export const READER = { user: "reader", password: "r3ader's s3cret" } as const;

/** Creates the role that crawls. It may only connect. */
export const CREATE_READER = `create role ${READER.user} login password 'r3ader''s s3cret'`;

export function optionsFor(port: number, database: string, more: Record<string, string> = {}): Record<string, string> {
  return { url: `postgres://127.0.0.1:${port}/${database}`, ...READER, ...more };
}

/** @returns the crawl of a connector named `warehouse` */
export function addWarehouse(
  { add }: Pick<Awaited<ReturnType<typeof openCrawls>>, "add">,
  options: Record<string, string>,
) {
  return add({ type: "postgres", name: "warehouse", options, secretOptions: ["password"] });
}
