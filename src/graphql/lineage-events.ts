/** Lineage events that schedulers and engines send. */
import { openLineageConnector } from "../connectors/openlineage/connector.ts";
import { badField } from "../errors.ts";
import type { Outcomes } from "../ingest/receive.ts";
import { objectType, typed, wordsType } from "./builder.ts";
import { type GraphqlContext, originOf } from "./context.ts";
import { mutation, shows } from "./mutation.ts";
import { Upload } from "./upload.ts";
import type { UploadedFile } from "./uploaded-file.ts";
import { readUploadedJson } from "./uploaded-json.ts";

const MAX_EVENTS = 1_000;

interface FailedEvent {
  index: number;
  reason: string;
  retriable: boolean;
}

interface Receipt {
  received: number;
  failed: FailedEvent[];
}

const ReceiptStatus = wordsType<"success" | "partial_success">("ReceiptStatus", "Whether lineage events were taken.", {
  success: "All of them.",
  partial_success: "Not all of them, or none; `failedEvents` tells why.",
});

const ReceiptSummaryType = objectType<Receipt>(
  "LineageReceiptSummary",
  "How many lineage events came, and what became of them.",
).with({
  received: typed("NonNegativeInt", "All that came."),
  successful: {
    ...typed("NonNegativeInt", "Those that were taken."),
    resolve: ({ received, failed }) => received - failed.length,
  },
  failed: { ...typed("NonNegativeInt", "Those that were refused."), resolve: ({ failed }) => failed.length },
  retriable: {
    ...typed("NonNegativeInt", "Those of the refused ones that may be taken if they are sent again."),
    resolve: ({ failed }) => failed.filter(({ retriable }) => retriable).length,
  },
  nonRetriable: {
    ...typed("NonNegativeInt", "Those of the refused ones that will always be refused."),
    resolve: ({ failed }) => failed.filter(({ retriable }) => !retriable).length,
  },
});

const FailedEventType = objectType<FailedEvent>("FailedLineageEvent", "A lineage event that was refused.").with({
  index: typed("NonNegativeInt", "Its place among those that came, from 0."),
  reason: typed("String", "What is wrong with it."),
  retriable: typed("Boolean", "Whether it may be taken if it is sent again."),
});

const ReceiptType = objectType<Receipt>(
  "LineageReceipt",
  "What became of lineage events. One that was taken is stored; the graph has it within moments.",
).with({
  status: {
    ...typed(ReceiptStatus, "Whether all were taken."),
    resolve: ({ failed }) => (failed.length === 0 ? "success" : "partial_success"),
  },
  summary: { ...typed(ReceiptSummaryType, "Their numbers."), resolve: (receipt) => receipt },
  failedEvents: (t) => t.expose("failed", typed([FailedEventType], "Those that were refused.")),
});

mutation("receiveLineageEvent", {
  description: "Takes one lineage event. One that is not valid is an error that names every fault.",
  requires: "write",
  input: "One lineage event, in either way.",
  fields: (t) => ({
    event: t.field({ type: "JSONObject", description: "An OpenLineage RunEvent, JobEvent or DatasetEvent." }),
    upload: t.field({ type: Upload, description: "The event as the body of a REST request, instead." }),
  }),
  answer: shows("receipt", ReceiptType, "What became of them."),
  resolve: async (input, context) => {
    const event = await readInput(context, "event", input.event, input.upload);
    const [refusal = null] = await receive(context, [event]);
    if (refusal !== null) throw refusal;
    return { received: 1, failed: [] };
  },
});

mutation("receiveLineageEvents", {
  description: "Takes a batch of lineage events. Those that are not valid are left out and named.",
  requires: "write",
  input: "Lineage events, in either way.",
  fields: (t) => ({
    events: t.field({
      type: ["JSONObject"],
      description: `OpenLineage RunEvents, JobEvents and DatasetEvents; at most ${MAX_EVENTS}.`,
    }),
    upload: t.field({ type: Upload, description: "A list of events as the body of a REST request, instead." }),
  }),
  answer: shows("receipt", ReceiptType, "What became of them."),
  resolve: async (input, context) => {
    const events = await readInput(context, "events", input.events, input.upload);
    if (!Array.isArray(events)) throw badField("events", "must be a JSON list of events: it is the body");
    if (events.length > MAX_EVENTS) throw badField("events", `may be at most ${MAX_EVENTS}`);
    const outcomes = await receive(context, events);
    const failed = outcomes.flatMap((refusal, index): FailedEvent[] => {
      return refusal === null ? [] : [{ index, reason: refusal.message, retriable: refusal.status >= 500 }];
    });
    return { received: events.length, failed };
  },
});

function receive(context: GraphqlContext, events: readonly unknown[]): Promise<Outcomes> {
  return context.services.receiver.receive(originOf(context), context.caller, openLineageConnector.type, events);
}

/** @throws AppError `bad_request` */
async function readInput(
  context: GraphqlContext,
  name: string,
  given: unknown,
  upload: UploadedFile | null | undefined,
): Promise<unknown> {
  if (!upload === (given === null || given === undefined)) {
    throw badField(name, "is required");
  }
  return upload ? readUploadedJson(context, upload) : given;
}
