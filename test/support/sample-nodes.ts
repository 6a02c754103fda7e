/** Every node of a service's workspace with what uses it one hop away, read over GraphQL. */
import { z } from "zod";

import { createGraphqlClient } from "./graphql-client.ts";

/** "" for what is unknown. */
const text = z
  .string()
  .nullable()
  .transform((value) => value ?? "");

const node = z.object({
  fqn: z.string(),
  type: z.string(),
  name: z.string(),
  displayName: z.string().default(""),
  owner: text,
  ownerName: text,
  certification: z.string(),
  certifiedBy: z.string().nullish(),
  certifiedAt: z.string().nullish(),
  description: text,
  definitionSummary: z.string().default(""),
  sql: z.string().nullish(),
  dataType: text.default(""),
  tags: z.array(z.string()),
  meta: z.looseObject({ certified_by: z.string().optional(), certified_at: z.string().optional() }),
  parent: z.object({ fqn: z.string() }).nullish(),
  downstream: z.object({ nodes: z.array(z.object({ fqn: z.string() })) }),
});
const page = z.object({
  page: z.object({
    nodes: z.array(node),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  }),
});
const connectors = z.object({
  connectors: z.object({
    nodes: z.array(
      z.object({
        health: z.string(),
        schedule: z.object({ cron: z.string() }).nullable(),
        lastSync: z.object({ status: z.string(), assetsDiscovered: z.int(), errorsTotal: z.int() }),
      }),
    ),
  }),
});

export type SampleNode = z.output<typeof node>;
export type SampleConnector = z.output<typeof connectors>["connectors"]["nodes"][number];

/** Small, so that a page with all its neighbours costs no more than a query may. */
const PAGE_SIZE = 40;
const SHARED = `fqn type name owner ownerName certification description tags meta
  downstream(first: 200) { nodes { fqn } }`;
const ASSETS = `assets(first: ${PAGE_SIZE}, after: $after) {
  nodes { ${SHARED} dataType sql parent { fqn } } pageInfo { hasNextPage endCursor } }`;
const METRICS = `metrics(first: ${PAGE_SIZE}, after: $after) {
  nodes { ${SHARED} displayName definitionSummary certifiedBy certifiedAt } pageInfo { hasNextPage endCursor } }`;
const CONNECTORS =
  "{ connectors { nodes { health schedule { cron } lastSync { status assetsDiscovered errorsTotal } } } }";

export async function readSampleNodes(app: { url: string; token: string }): Promise<SampleNode[]> {
  const ask = createGraphqlClient(app);
  const nodes: SampleNode[] = [];
  for (const list of [ASSETS, METRICS]) {
    let after: string | null = null;
    do {
      const { data } = await ask(`query ($after: String) { page: ${list} }`, { after });
      const { page: read } = page.parse(data);
      nodes.push(...read.nodes);
      after = read.pageInfo.hasNextPage ? read.pageInfo.endCursor : null;
    } while (after !== null);
  }
  return nodes;
}

export async function readConnector(app: { url: string; token: string }): Promise<SampleConnector> {
  const { data } = await createGraphqlClient(app)(CONNECTORS);
  const [only, ...others] = connectors.parse(data).connectors.nodes;
  if (only === undefined || others.length > 0) throw new Error("The sample has one connector.");
  return only;
}
