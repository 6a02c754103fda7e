/** Connectors: where metadata comes from, and their health. */
import { z } from "zod";

import { MAX_UNKEPT_KINDS, type Unkept } from "../catalog/crawl.ts";
import { badField } from "../errors.ts";
import { type ConnectorId, toConnectorId } from "../ids.ts";
import { connectorHealth, isFinished } from "../metadata/connector-health.ts";
import { PIPELINE_NAME } from "../connectors/datahub/receive.ts";
import type { Reception } from "../metadata/receptions.ts";
import type { Connector, Schedule, Sync } from "../metadata/records.ts";
import { builder, emptyAsNull, objectType, queryField, typed, typedOrNull } from "./builder.ts";
import { connectionType, MAX_PAGE_SIZE, pageArgs, parsePageSize } from "./connection.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";
import { createLoader, loadEach } from "./loaders.ts";
import { ConnectorHealth, UnkeptReason } from "./sync-enums.ts";
import { listStored } from "./stored-page.ts";
import { SyncErrorType, SyncType } from "./sync.ts";
import { CatalogNodeType, NodeInterface } from "./refs.ts";

const ScheduleType = objectType<Schedule>("Schedule", "When a connector runs without being asked.").with({
  cron: typed("String", "A cron expression, such as `0 6 * * 1-5`."),
  timeZone: typed("String", "The time zone of the expression, such as `Europe/Berlin`."),
  nextRunAt: typedOrNull(
    "DateTime",
    "When it runs next, give or take some seconds; null while the connector is disabled.",
  ),
});

const ReceptionType = objectType<Reception & { receivedAt: string }>(
  "Reception",
  "What others sent to a connector.",
).with({
  receivedAt: typed("DateTime", "When the last message came."),
  waiting: typed("NonNegativeInt", "Jobs and datasets with stored messages that the catalog does not show yet."),
  errors: typed([SyncErrorType], "What went wrong when their present state was written: at most 100, errors first."),
  errorsTotal: typed("NonNegativeInt", "How many things went wrong in all."),
});

const UnkeptType = objectType<Unkept>("Unkept", "What came of one kind and is not kept.").with({
  entity: emptyAsNull("What it is about, such as `dataset`; null if that could not be read."),
  aspect: emptyAsNull(
    "What is told of it, such as `datasetProfile`; null for all kinds that are not listed one by one.",
  ),
  why: typed(UnkeptReason, "Why it is not kept."),
  count: typed("NonNegativeInt", "How many came."),
  example: typed("String", "The name of the first thing of which it came."),
});

const latestSyncsOf = createLoader(({ services }, ws, connectors: readonly ConnectorId[]) =>
  services.metadata.syncs.loadLatest(ws, connectors),
);

/** The newest sync of each connector that completed or failed. */
const latestEndedOf = createLoader(({ services }, ws, connectors: readonly ConnectorId[]) =>
  services.metadata.syncs.loadLatest(ws, connectors, ["completed", "failed"]),
);

const latestCompletedOf = createLoader(({ services }, ws, connectors: readonly ConnectorId[]) =>
  services.metadata.syncs.loadLatest(ws, connectors, ["completed"]),
);

/** What others sent to each connector. */
const receptionsOf = createLoader(({ services }, ws, connectors: readonly ConnectorId[]) =>
  services.metadata.inbox.loadReceptions(ws, connectors),
);

async function findLastFinished(connector: Connector, context: GraphqlContext): Promise<Sync | null> {
  const latest = await latestSyncsOf(context).load(connector.id);
  return latest === null || isFinished(latest) ? latest : latestEndedOf(context).load(connector.id);
}

// Options are left out on purpose: they may name hosts, paths and secrets.
export const ConnectorType = builder.loadableObjectRef<Connector, ConnectorId>(
  "Connector",
  loadEach(({ services }, ws, ids) => services.metadata.connectors.loadByIds(ws, ids)),
);

objectType(ConnectorType, "A source of metadata.", { interfaces: [NodeInterface] }).with({
  id: typed("ID", "The connector's id."),
  name: typed("String", "Its name, which assets show as their source."),
  type: typed("String", "What it reads, such as `dbt`."),
  pipelineName: {
    type: "String",
    nullable: true,
    description: "The `pipeline_name` of the recipe that sends to it, if that cannot be its own name; else null.",
    resolve: ({ options }) => options[PIPELINE_NAME] ?? null,
  },
  createdAt: typed("DateTime", "When it was added."),
  disabledAt: typedOrNull("DateTime", "When it was disabled, so that it does not sync; null if it is enabled."),
  removingAt: typedOrNull(
    "DateTime",
    "When its removal began, so that it never syncs again; null if it is not being removed.",
  ),
  health: {
    ...typed(ConnectorHealth, "How its last finished run went, or how what others sent to it was written."),
    resolve: async (connector, _args, context) =>
      connectorHealth(
        connector,
        await findLastFinished(connector, context),
        connector.receivedAt === null ? null : await receptionsOf(context).load(connector.id),
      ),
  },
  reception: {
    type: ReceptionType,
    nullable: true,
    description: "What others sent to it, and how much of it the catalog shows; null if nobody sent anything.",
    resolve: async ({ id, receivedAt }, _args, context) =>
      receivedAt === null ? null : { ...(await receptionsOf(context).load(id)), receivedAt },
  },
  unkept: {
    type: [UnkeptType],
    description: `What came and is not kept, as its last completed sync found it, the most frequent first: at most ${MAX_UNKEPT_KINDS} kinds.`,
    resolve: async ({ id }, _args, context) => (await latestCompletedOf(context).load(id))?.unkept ?? [],
  },
  lastSync: {
    ...typedOrNull(SyncType, "Its newest sync; null if it never had one."),
    resolve: (connector, _args, context) => latestSyncsOf(context).load(connector.id),
  },
  syncs: (t) =>
    t.field({
      ...typed([SyncType], "Its newest syncs, the newest first."),
      args: {
        first: t.arg.int({ required: true, defaultValue: 10, description: `How many, 1 to ${MAX_PAGE_SIZE}.` }),
      },
      complexity: (args) => ({ field: 1, multiplier: args.first }),
      resolve: (connector, { first }, context) =>
        context.services.metadata.syncs.listRecent(workspaceOf(context), connector.id, parsePageSize(first)),
    }),
  schedule: {
    ...typedOrNull(ScheduleType, "When it runs without being asked; null if it runs only when a sync is triggered."),
    resolve: ({ schedule, disabledAt, removingAt }) => {
      const isIdle = disabledAt !== null || removingAt !== null;
      return schedule === null || !isIdle ? schedule : { ...schedule, nextRunAt: null };
    },
  },
  removalShare: typed(
    "NonNegativeInt",
    "The largest share of its assets, in percent, that a sync removes by itself. A sync that would remove more removes nothing, and has the error `sweep_held`.",
  ),
});

function findByName(name: string, context: GraphqlContext): Promise<Connector | null> {
  return context.services.metadata.connectors.findByName(workspaceOf(context), name);
}

const connectorsKnownAs = createLoader(({ services }, ws, names: readonly string[]) =>
  services.metadata.connectors.loadByKnownNames(ws, names),
);

builder.interfaceField(CatalogNodeType, "connector", (t) =>
  t.field({
    ...typedOrNull(ConnectorType, "The connector with the highest precedence that holds it; null if none does."),
    resolve: ({ sourceConnector }, _args, context) =>
      sourceConnector === "" ? null : connectorsKnownAs(context).load(sourceConnector),
  }),
);

const ConnectorConnection = connectionType("Connector", "connector", ConnectorType);

queryField("connector", "read", {
  ...typedOrNull(ConnectorType, "One connector, by its id or by its name; null if there is none."),
  args: builder.args((t) => ({
    id: t.id({ description: "Its id. Give this or `name`." }),
    name: t.string({ description: "Its name. Give this or `id`." }),
  })),
  resolve: (_root, { id, name }, context) => {
    if ((id == null) === (name == null)) throw badField("id", "give either id or name");
    return id == null ? findByName(name ?? "", context) : toConnectorId(id);
  },
});

queryField("connectors", "read", {
  ...typed(ConnectorConnection, "Connectors in the order of their names."),
  args: builder.args((t) => ({ name: t.string({ description: "Only the connector with this name." }), ...pageArgs })),
  complexity: (args) => ({ field: 1, multiplier: args.first }),
  resolve(_root, { name, ...args }, context) {
    const { connectors } = context.services.metadata;
    const named = async () => [await findByName(name ?? "", context)].filter((found) => found !== null);
    return listStored(args, context, {
      query: ["connectors", ...(name == null ? [] : [name])],
      list: name == null ? connectors.list : async () => ({ items: await named(), hasMore: false }),
      placeOf: (connector) => connector.name,
      placeSchema: z.string(),
      count: name == null ? connectors.count : async () => (await named()).length,
    });
  },
});
