/** Adding, testing, changing and removing connectors, and cancelling their syncs. */
import type { SourceFinding } from "../connectors/connector.ts";
import { connectorTypes } from "../connectors/registry.ts";
import { toConnectorId, toSyncId } from "../ids.ts";
import { parseOptions } from "../ingest/connector-options.ts";
import type { Connector } from "../metadata/records.ts";
import { builder, requires } from "./builder.ts";
import { ConnectorType } from "./connector.ts";
import { originOf, workspaceOf } from "./context.ts";
import { INPUT_DESCRIPTION, payloadType } from "./mutation.ts";
import { SyncType } from "./sync.ts";

const WORDS = {
  id: "The connector's id.",
  options: "Its options by their names, each text; `connectorTypes` says which a type takes.",
  changedOptions:
    "Options to set by their names; null takes one away. The others stay, secrets too; a secret must be given anew when the options name a new host.",
  test: "Whether the source must be readable now.",
};

// Fields with a default are nullable: graphql-jit asks for a required one of a variable even where it has a default.
const CreateConnectorInput = builder.inputType("CreateConnectorInput", {
  description: "A connector to add.",
  fields: (t) => ({
    type: t.string({ required: true, description: "Its type, such as `dbt`." }),
    name: t.string({
      required: true,
      description: "Its name: 1 to 64 letters, digits, `.`, `_` and `-`, unique in the workspace.",
    }),
    options: t.field({ type: "JSONObject", required: true, description: WORDS.options }),
    test: t.boolean({ defaultValue: true, description: WORDS.test }),
  }),
});

builder.mutationField("createConnector", (t) =>
  t.field({
    type: payloadType("createConnector", "connector", ConnectorType, "The connector."),
    description: "Adds a connector, if its source can be read. It crawls when a sync is triggered.",
    extensions: requires("admin"),
    args: { input: t.arg({ type: CreateConnectorInput, required: true, description: INPUT_DESCRIPTION }) },
    resolve: async (_root, { input: { type, name, options, test } }, context) => ({
      changed: await context.services.connectors.add(
        originOf(context),
        { type, name, options: parseOptions(options), test: test ?? true },
        context.signal,
      ),
    }),
  }),
);

const UpdateConnectorInput = builder.inputType("UpdateConnectorInput", {
  description: "What changes of a connector; the rest stays.",
  fields: (t) => ({
    id: t.id({ required: true, description: WORDS.id }),
    name: t.string({ description: "Its new name, by which assets say from then on where they come from." }),
    options: t.field({ type: "JSONObject", description: WORDS.changedOptions }),
    disabled: t.boolean({
      description:
        "True disables it: what is queued or running for it is cancelled, and nothing more is. False enables it.",
    }),
    test: t.boolean({ defaultValue: true, description: `${WORDS.test} Only options are tested.` }),
  }),
});

builder.mutationField("updateConnector", (t) =>
  t.field({
    type: payloadType("updateConnector", "connector", ConnectorType, "The connector."),
    description: "Changes a connector. It cannot be renamed while a sync of it is running.",
    extensions: requires("admin"),
    args: { input: t.arg({ type: UpdateConnectorInput, required: true, description: INPUT_DESCRIPTION }) },
    resolve: async (_root, { input: { id, name, options, disabled, test } }, context) => ({
      changed: await context.services.connectors.change(
        originOf(context),
        {
          id: toConnectorId(id),
          name: name ?? undefined,
          options: options == null ? undefined : parseOptions(options, "nullable"),
          disabled: disabled ?? undefined,
          test: test ?? true,
        },
        context.signal,
      ),
    }),
  }),
);

const RemoveConnectorInput = builder.inputType("RemoveConnectorInput", {
  description: "The connector to remove.",
  fields: (t) => ({ id: t.id({ required: true, description: WORDS.id }) }),
});

const RemoveConnectorPayload = builder.objectRef<{ id: string; removed: number }>("RemoveConnectorPayload").implement({
  description: "What `removeConnector` answers.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The id that the connector had." }),
    removedCount: t.expose("removed", {
      type: "NonNegativeInt",
      description: "How many assets and metrics went with it, columns included: nobody else held them.",
    }),
  }),
});

builder.mutationField("removeConnector", (t) =>
  t.field({
    type: RemoveConnectorPayload,
    description:
      "Removes a connector with its syncs, and all assets that nobody else holds. What people said of these waits for their return. Repeat it if it broke off.",
    extensions: requires("admin"),
    args: { input: t.arg({ type: RemoveConnectorInput, required: true, description: INPUT_DESCRIPTION }) },
    resolve: async (_root, { input: { id } }, context) => ({
      id,
      removed: await context.services.connectors.remove(originOf(context), toConnectorId(id)),
    }),
  }),
);

const FindingSeverity = builder.enumType("SourceFindingSeverity", {
  description: "What something that was found in a source means for a crawl.",
  values: {
    error: { description: "A crawl could not read the source, or a part of it." },
    warning: { description: "A crawl would read all that the options name." },
  },
});

const SourceFindingType = builder.objectRef<SourceFinding>("SourceFinding").implement({
  description: "Something that is wrong with what an option names.",
  fields: (t) => ({
    option: t.exposeString("option", { description: "The option's name." }),
    message: t.exposeString("message", { description: "What is wrong, for people." }),
    severity: t.expose("severity", { type: FindingSeverity, description: "What it means for a crawl." }),
  }),
});

const TestConnectorInput = builder.inputType("TestConnectorInput", {
  description: "A connector, with other options or as it is; or the options of one that is to be added.",
  fields: (t) => ({
    id: t.id({ description: "The connector's id. Give this or `type`." }),
    type: t.string({ description: "The type of a connector that is not there yet. Give this or `id`." }),
    options: t.field({ type: "JSONObject", description: WORDS.changedOptions }),
  }),
});

const TestConnectorPayload = builder.objectRef<{ findings: SourceFinding[] }>("TestConnectorPayload").implement({
  description: "What `testConnector` answers.",
  fields: (t) => ({
    isReadable: t.boolean({
      description: "Whether a crawl can read all that the options name.",
      resolve: ({ findings }) => !findings.some(({ severity }) => severity === "error"),
    }),
    findings: t.expose("findings", {
      type: [SourceFindingType],
      description: "What is wrong; empty when all is well.",
    }),
  }),
});

builder.mutationField("testConnector", (t) =>
  t.field({
    type: TestConnectorPayload,
    description: "Checks options and looks at the source that they name. Nothing is written.",
    extensions: requires("admin"),
    args: { input: t.arg({ type: TestConnectorInput, required: true, description: INPUT_DESCRIPTION }) },
    resolve: async (_root, { input: { id, type, options } }, context) => ({
      findings: await context.services.connectors.test(
        {
          workspaceId: workspaceOf(context),
          id: id == null ? undefined : toConnectorId(id),
          type: type ?? undefined,
          options: parseOptions(options ?? {}, "nullable"),
        },
        context.signal,
      ),
    }),
  }),
);

const ConnectorOptionsType = builder.objectRef<Connector>("ConnectorOptions").implement({
  description: "A connector's options, without its secrets.",
  fields: (t) => ({
    options: t.field({
      type: "JSONObject",
      description: "The options that are no secret, by their names.",
      resolve: ({ type, options }) => {
        const secrets = secretOptionsOf(type);
        return Object.fromEntries(
          Object.entries(options).filter(([key]) => secrets !== null && !secrets.includes(key)),
        );
      },
    }),
    secretOptions: t.stringList({
      description: "Names of the secret options that are set; their values are never shown.",
      resolve: ({ type, options }) => secretOptionsOf(type)?.filter((key) => options[key] !== undefined) ?? [],
    }),
  }),
});

/** Null for a type that this version does not know: any of its options may be a secret. */
function secretOptionsOf(type: string): readonly string[] | null {
  return connectorTypes.find((each) => each.type === type)?.secretOptions ?? null;
}

builder.queryField("connectorOptions", (t) =>
  t.field({
    type: ConnectorOptionsType,
    nullable: true,
    description: "The options of one connector; null when there is no such connector.",
    extensions: requires("admin"),
    args: { id: t.arg.id({ required: true, description: WORDS.id }) },
    resolve: (_root, { id }, context) => context.loaders.connectors.load(toConnectorId(id)),
  }),
);

const CancelSyncInput = builder.inputType("CancelSyncInput", {
  description: "The sync to cancel.",
  fields: (t) => ({ id: t.id({ required: true, description: "The sync's id." }) }),
});

builder.mutationField("cancelSync", (t) =>
  t.field({
    type: payloadType("cancelSync", "sync", SyncType, "The sync. A running one ends within two seconds."),
    description:
      "Cancels a sync. One that waits ends at once; one that runs stops at its next step. What it wrote stays, and nothing is removed.",
    extensions: requires("write"),
    args: { input: t.arg({ type: CancelSyncInput, required: true, description: INPUT_DESCRIPTION }) },
    resolve: async (_root, { input: { id } }, context) => ({
      changed: await context.services.syncs.cancel(originOf(context), toSyncId(id)),
    }),
  }),
);
