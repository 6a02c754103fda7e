/** Syncs: the runs of a connector, and how to trigger one. */
import { type SyncId, toConnectorId, toSyncId } from "../ids.ts";
import type { Sync, SyncError, TriggeredSync } from "../metadata/records.ts";
import { builder, emptyAsNull, objectType, queryField, typed, typedOrNull } from "./builder.ts";
import { workspaceOf } from "./context.ts";
import { SyncErrorSeverity, SyncMode, SyncStage, SyncStatus } from "./sync-enums.ts";
import { loadEach } from "./loaders.ts";
import { payload, mutation } from "./mutation.ts";
import { NodeInterface } from "./refs.ts";

export const SyncErrorType = objectType<SyncError>("SyncError", "Something that went wrong in a sync.").with({
  code: typed("String", "A code for programs, such as `missing_reference`."),
  message: typed("String", "What went wrong, in words."),
  object: emptyAsNull("The source's own name of the object that it is about; null if there is none."),
  stage: typed(SyncStage, "The step at which it went wrong."),
  severity: typed(SyncErrorSeverity, "How bad it is."),
  retryable: typed("Boolean", "Whether the same sync may succeed later without any changes."),
  occurredAt: typed("DateTime", "When."),
});

export const SyncType = builder.loadableObjectRef<Sync, SyncId>(
  "Sync",
  loadEach(({ services }, ws, ids) => services.metadata.syncs.loadByIds(ws, ids)),
);

objectType(SyncType, "One run of a connector, which reads its source.", { interfaces: [NodeInterface] }).with({
  id: typed("ID", "The sync's id."),
  connectorId: typed("ID", "The connector that it runs."),
  status: typed(SyncStatus, "Its state."),
  mode: typed(SyncMode, "Whether it reads everything."),
  queuedAt: typed("DateTime", "When it was asked for."),
  startedAt: typedOrNull("DateTime", "When it began to run."),
  completedAt: typedOrNull("DateTime", "When it ended."),
  estimatedDurationSeconds: typed(
    "NonNegativeInt",
    "The median of the last five runs, or a guess from the input's size.",
  ),
  cancelRequestedAt: typedOrNull("DateTime", "When somebody cancelled it while it was running; null if nobody did."),
  failedTries: typed(
    "NonNegativeInt",
    "How often it failed for a reason that may pass, such as a store that is away, and was queued again. It is tried again with growing pauses for an hour.",
  ),
  nextTryAt: typedOrNull(
    "DateTime",
    "When it is tried again; null unless it is queued after a failed try. `triggerSync` does it at once.",
  ),
  progress: typed("Float", "From 0 to 1."),
  progressLabel: typed("String", "What it is doing."),
  assetsDiscovered: typed("NonNegativeInt", "How many assets it found."),
  assetsUpdated: typed("NonNegativeInt", "How many assets it created or changed."),
  assetsRemoved: typed("NonNegativeInt", "How many assets it no longer found and no other connector holds."),
  errors: typed(
    [SyncErrorType],
    "The errors and warnings in the order in which they occurred, at most 100. If there are more, warnings are left out first.",
  ),
  errorsTotal: typed("NonNegativeInt", "How many errors and warnings there were."),
});

queryField("sync", "read", {
  ...typedOrNull(SyncType, "One sync; null if there is none."),
  args: builder.args((t) => ({ id: t.id({ required: true, description: "Its id." }) })),
  resolve: (_root, { id }) => toSyncId(id),
});

mutation("triggerSync", {
  description: "Asks for a sync. If it is repeated within five minutes, it answers the same sync.",
  requires: "write",
  input: "What to run.",
  fields: (t) => ({
    connectorId: t.id({ required: true, description: "The connector to run." }),
    mode: t.field({
      type: SyncMode,
      description: "How much to read. The first run is always full; later ones are incremental by default.",
    }),
    force: t.boolean({
      required: true,
      defaultValue: false,
      description: "True starts a new sync even if one was asked for within the last five minutes.",
    }),
    confirmRemoval: t.boolean({
      required: true,
      defaultValue: false,
      description: "Let the sync remove any share of the connector's assets. It also starts anew.",
    }),
  }),
  answer: payload<{ changed: TriggeredSync }>().with({
    sync: (t) => t.expose("changed", typed(SyncType, "The new sync, or the earlier one that this request repeats.")),
    isRepeat: {
      type: "Boolean",
      description:
        "Whether it is an earlier sync, which was asked for within the last five minutes. `force` starts a new one.",
      resolve: ({ changed }) => changed.isRepeat,
    },
  }),
  resolve: async ({ connectorId, mode, force, confirmRemoval }, context) => ({
    changed: await context.services.syncs.trigger({
      workspaceId: workspaceOf(context),
      connectorId: toConnectorId(connectorId),
      mode: mode ?? undefined,
      force,
      confirmRemoval,
    }),
  }),
});
