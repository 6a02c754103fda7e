/** Syncs: the runs of a connector, and how to trigger one. */
import { type SyncId, toConnectorId, toSyncId } from "../ids.ts";
import type { Sync, SyncError, TriggeredSync } from "../metadata/records.ts";
import { builder, objectType, queryField, textOrNull, typed, typedOrNull } from "./builder.ts";
import { workspaceOf } from "./context.ts";
import { SyncErrorSeverity, SyncMode, SyncStage, SyncStatus } from "./sync-enums.ts";
import { loadEach } from "./loaders.ts";
import { answers, mutation } from "./mutation.ts";
import { NodeInterface } from "./refs.ts";

export const SyncErrorType = objectType<SyncError>("SyncError", "Something that went wrong in a sync.", (t) => ({
  code: t.exposeString("code", { description: "A code for programs, such as `missing_reference`." }),
  message: t.exposeString("message", { description: "What went wrong, in words." }),
  object: t.string({
    ...textOrNull("object"),
    description: "The source's own name of the object that it is about; null if there is none.",
  }),
  stage: t.expose("stage", typed(SyncStage, "The step at which it went wrong.")),
  severity: t.expose("severity", typed(SyncErrorSeverity, "How bad it is.")),
  retryable: t.exposeBoolean("retryable", {
    description: "Whether the same sync may succeed later without any changes.",
  }),
  occurredAt: t.expose("occurredAt", typed("DateTime", "When.")),
}));

export const SyncType = builder.loadableObjectRef<Sync, SyncId>(
  "Sync",
  loadEach(({ services }, ws, ids) => services.metadata.syncs.loadByIds(ws, ids)),
);

SyncType.implement({
  description: "One run of a connector, which reads its source.",
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.exposeID("id", { description: "The sync's id." }),
    connectorId: t.exposeID("connectorId", { description: "The connector that it runs." }),
    status: t.expose("status", typed(SyncStatus, "Its state.")),
    mode: t.expose("mode", typed(SyncMode, "Whether it reads everything.")),
    queuedAt: t.expose("queuedAt", typed("DateTime", "When it was asked for.")),
    startedAt: t.expose("startedAt", typedOrNull("DateTime", "When it began to run.")),
    completedAt: t.expose("completedAt", typedOrNull("DateTime", "When it ended.")),
    estimatedDurationSeconds: t.expose("estimatedDurationSeconds", {
      type: "NonNegativeInt",
      description: "The median of the last five runs, or a guess from the input's size.",
    }),
    cancelRequestedAt: t.expose("cancelRequestedAt", {
      type: "DateTime",
      nullable: true,
      description: "When somebody cancelled it while it was running; null if nobody did.",
    }),
    failedTries: t.expose("failedTries", {
      type: "NonNegativeInt",
      description:
        "How often it failed for a reason that may pass, such as a store that is away, and was queued again. It is tried again with growing pauses for an hour.",
    }),
    nextTryAt: t.expose("nextTryAt", {
      type: "DateTime",
      nullable: true,
      description:
        "When it is tried again; null unless it is queued after a failed try. `triggerSync` does it at once.",
    }),
    progress: t.exposeFloat("progress", { description: "From 0 to 1." }),
    progressLabel: t.exposeString("progressLabel", { description: "What it is doing." }),
    assetsDiscovered: t.expose("assetsDiscovered", typed("NonNegativeInt", "How many assets it found.")),
    assetsUpdated: t.expose("assetsUpdated", typed("NonNegativeInt", "How many assets it created or changed.")),
    assetsRemoved: t.expose("assetsRemoved", {
      type: "NonNegativeInt",
      description: "How many assets it no longer found and no other connector holds.",
    }),
    errors: t.expose("errors", {
      type: [SyncErrorType],
      description:
        "The errors and warnings in the order in which they occurred, at most 100. If there are more, warnings are left out first.",
    }),
    errorsTotal: t.expose("errorsTotal", typed("NonNegativeInt", "How many errors and warnings there were.")),
  }),
});

queryField("sync", "read", {
  ...typedOrNull(SyncType, "One sync; null if there is none."),
  args: builder.args((t) => ({ id: t.id({ required: true, description: "Its id." }) })),
  resolve: (_root, { id }) => toSyncId(id),
});

const TriggerSyncPayload = builder.objectRef<{ changed: TriggeredSync }>("TriggerSyncPayload").implement({
  description: "The answer of `triggerSync`.",
  fields: (t) => ({
    sync: t.expose("changed", typed(SyncType, "The new sync, or the earlier one that this request repeats.")),
    isRepeat: t.boolean({
      description:
        "Whether it is an earlier sync, which was asked for within the last five minutes. `force` starts a new one.",
      resolve: ({ changed }) => changed.isRepeat,
    }),
  }),
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
  answer: answers(TriggerSyncPayload),
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
