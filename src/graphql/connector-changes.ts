/** Adding, testing, changing and removing connectors, and cancelling their syncs. */
import type { SourceFinding } from "../connectors/connector.ts";
import { connectorTypes } from "../connectors/registry.ts";
import { toConnectorId, toSyncId } from "../ids.ts";
import { parseOptions } from "../ingest/connector-options.ts";
import type { Connector } from "../metadata/records.ts";
import { builder, objectType, queryField, typed, typedOrNull, wordsType } from "./builder.ts";
import { ConnectorType } from "./connector.ts";
import { originOf, workspaceOf } from "./context.ts";
import { given } from "./given.ts";
import { payload, mutation, shows } from "./mutation.ts";
import { SyncType } from "./sync.ts";
import { findById } from "./loaders.ts";

const WORDS = {
  id: "The connector's id.",
  removalShare:
    "The largest share of its assets, 0 to 100 percent, that a sync removes by itself; 40 if it is never given.",
  options: "Its options by name; each value is text. `connectorTypes` lists the options of each type.",
  changedOptions:
    "Options to set, by name; null removes an option. All others stay as they are, secrets too. If the options name a new host, the secrets must be given again.",
  test: "Whether to refuse if the source cannot be read now.",
};

const ScheduleInput = builder.inputType("ScheduleInput", {
  description: "When a connector syncs by itself.",
  fields: (t) => ({
    cron: t.string({
      required: true,
      description: "Five fields: minute, hour, day of the month, month, day of the week; or a word such as `@hourly`.",
    }),
    timeZone: t.string({ required: true, defaultValue: "UTC", description: "An IANA name, such as `Europe/Berlin`." }),
  }),
});

mutation("createConnector", {
  description: "Adds a connector, if its source can be read. It reads its source when a sync is triggered.",
  requires: "admin",
  input: "A connector to add.",
  fields: (t) => ({
    type: t.string({ required: true, description: "Its type, such as `dbt`." }),
    name: t.string({
      required: true,
      description: "Its name: 1 to 64 letters, digits, `.`, `_` and `-`, unique in the workspace.",
    }),
    options: t.field({ type: "JSONObject", required: true, description: WORDS.options }),
    schedule: t.field({ type: ScheduleInput, description: "When it syncs by itself. Left out: only when asked to." }),
    removalShare: t.field({ type: "NonNegativeInt", description: WORDS.removalShare }),
    test: t.boolean({ required: true, defaultValue: true, description: WORDS.test }),
  }),
  answer: shows("connector", ConnectorType, "The connector."),
  resolve: ({ type, name, options, test, schedule, removalShare }, context) =>
    context.services.connectors.add(
      originOf(context),
      {
        type,
        name,
        options: parseOptions(options),
        test,
        schedule: schedule ?? null,
        ...given({ removalShare }),
      },
      context.signal,
    ),
});

mutation("updateConnector", {
  description: "Changes a connector. It cannot be renamed while a sync of it is running.",
  requires: "admin",
  input: "What to change about a connector. Everything else stays as it is.",
  fields: (t) => ({
    id: t.id({ required: true, description: WORDS.id }),
    name: t.string({ description: "Its new name. Its assets show this name from then on." }),
    options: t.field({ type: "JSONObject", description: WORDS.changedOptions }),
    disabled: t.boolean({
      description:
        "True disables it: its queued and running syncs are cancelled, and no new ones start. False enables it.",
    }),
    schedule: t.field({ type: ScheduleInput, description: "When it syncs by itself; null: only when asked to." }),
    removalShare: t.field({ type: "NonNegativeInt", description: WORDS.removalShare }),
    test: t.boolean({
      required: true,
      defaultValue: true,
      description: `${WORDS.test} The source is read only if options change.`,
    }),
  }),
  answer: shows("connector", ConnectorType, "The connector."),
  resolve: ({ id, name, options, disabled, test, schedule, removalShare }, context) =>
    context.services.connectors.change(
      originOf(context),
      {
        id: toConnectorId(id),
        ...given({ name, disabled, removalShare }),
        options: options == null ? undefined : parseOptions(options, "nullable"),
        schedule,
        test,
      },
      context.signal,
    ),
});

mutation("removeConnector", {
  description:
    "Removes a connector, its syncs, and all assets that no other connector holds. People's edits of these assets are kept, in case the assets come back. If the removal is interrupted, repeat it.",
  requires: "admin",
  input: "The connector to remove.",
  fields: (t) => ({ id: t.id({ required: true, description: WORDS.id }) }),
  answer: payload<{ id: string; removed: number }>("What `removeConnector` answers.").with({
    id: typed("ID", "The id that the connector had."),
    removedCount: (t) =>
      t.expose("removed", {
        type: "NonNegativeInt",
        description:
          "How many assets and metrics, columns included, were removed with it because nothing else held them.",
      }),
  }),
  resolve: async ({ id }, context) => ({
    id,
    removed: await context.services.connectors.remove(originOf(context), toConnectorId(id)),
  }),
});

const FindingSeverity = wordsType<"error" | "warning">("SourceFindingSeverity", "What a finding means for a sync.", {
  error: "A sync could not read the source, or a part of it.",
  warning: "A sync would read everything that the options name.",
});

const SourceFindingType = objectType<SourceFinding>("SourceFinding", "A problem with what an option names.").with({
  option: typed("String", "The option's name."),
  message: typed("String", "What is wrong, in words."),
  severity: typed(FindingSeverity, "What it means for a sync."),
});

mutation("testConnector", {
  description: "Checks options and looks at the source that they name. Nothing is written.",
  requires: "admin",
  input:
    "What to test: a connector as it is or with changed options, or the options of a connector that does not exist yet.",
  fields: (t) => ({
    id: t.id({ description: "The connector's id. Give this or `type`." }),
    type: t.string({ description: "The type of a connector that does not exist yet. Give this or `id`." }),
    options: t.field({ type: "JSONObject", description: WORDS.changedOptions }),
    name: t.string({ description: "The name that it shall have, to check that too." }),
    schedule: t.field({ type: ScheduleInput, description: "When it shall sync by itself, to check that too." }),
  }),
  answer: payload<{ findings: SourceFinding[] }>("What `testConnector` answers.").with({
    isReadable: {
      ...typed("Boolean", "Whether a sync can read everything that the options name."),
      resolve: ({ findings }) => !findings.some(({ severity }) => severity === "error"),
    },
    findings: typed([SourceFindingType], "What is wrong; an empty list if nothing is."),
  }),
  resolve: async ({ id, type, options, name, schedule }, context) => ({
    findings: await context.services.connectors.test(
      {
        workspaceId: workspaceOf(context),
        id: id == null ? undefined : toConnectorId(id),
        ...given({ type, name }),
        options: parseOptions(options ?? {}, "nullable"),
        schedule,
      },
      context.signal,
    ),
  }),
});

const ConnectorOptionsType = objectType<Connector>(
  "ConnectorOptions",
  "A connector's options, without its secrets.",
).with({
  options: {
    ...typed("JSONObject", "The options that are not secret, by name."),
    resolve: ({ type, options }) => {
      const secrets = secretOptionsOf(type);
      return Object.fromEntries(Object.entries(options).filter(([key]) => secrets !== null && !secrets.includes(key)));
    },
  },
  secretOptions: {
    ...typed(["String"], "Names of the secret options that are set; their values are never shown."),
    resolve: ({ type, options }) => secretOptionsOf(type)?.filter((key) => options[key] !== undefined) ?? [],
  },
});

/** Null if this version does not know the type, because any of its options may be a secret. */
function secretOptionsOf(type: string): readonly string[] | null {
  return connectorTypes.find((each) => each.type === type)?.secretOptions ?? null;
}

queryField("connectorOptions", "admin", {
  ...typedOrNull(ConnectorOptionsType, "The options of one connector; null if there is no such connector."),
  args: builder.args((t) => ({ id: t.id({ required: true, description: WORDS.id }) })),
  resolve: (_root, { id }, context) => findById(ConnectorType, toConnectorId(id), context),
});

mutation("cancelSync", {
  description:
    "Cancels a sync. A queued sync ends at once; a running one stops at its next step. What it has written stays, and nothing is removed.",
  requires: "write",
  input: "The sync to cancel.",
  fields: (t) => ({ id: t.id({ required: true, description: "The sync's id." }) }),
  answer: shows("sync", SyncType, "The sync. A running one ends within two seconds."),
  resolve: ({ id }, context) => context.services.syncs.cancel(originOf(context), toSyncId(id)),
});
