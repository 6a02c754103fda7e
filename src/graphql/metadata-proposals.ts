/** Metadata change proposals, which DataHub's ingestion sends. */
import type { AspectRow } from "../catalog/aspect.ts";
import { badField } from "../errors.ts";
import { findNamed, NAMED } from "../connectors/datahub/find-named.ts";
import { postedIn } from "../connectors/datahub/posted.ts";
import { type Proposal, readingProposals } from "../connectors/datahub/proposal.ts";
import { dataHubConnector, pipelineOf, removedIn, runOf, toSender } from "../connectors/datahub/receive.ts";
import { CHECKPOINT, readingRows } from "../connectors/datahub/rows.ts";
import { receiveAspects } from "../ingest/receiving-connector.ts";
import { createSlicer } from "../work/slicer.ts";
import { builder, queryField, typed } from "./builder.ts";
import { type GraphqlContext, originOf } from "./context.ts";
import { payload, mutation } from "./mutation.ts";
import { Upload } from "./upload.ts";
import type { UploadedFile } from "./uploaded-file.ts";
import { readUploadedJson } from "./uploaded-json.ts";

const MAX_PROPOSALS = 10_000;

mutation("receiveMetadataProposals", {
  description:
    "Takes metadata change proposals. Those of one `pipeline_name` belong to a connector of that name, which the first of them makes. A sync of the connector reads them when no more have come for ten seconds.",
  requires: "write",
  input: "Metadata change proposals of DataHub, in either way.",
  fields: (t) => ({
    proposals: t.field({ type: ["JSONObject"], description: `Proposals or older events; at most ${MAX_PROPOSALS}.` }),
    upload: t.field({
      type: Upload,
      description: "What a client of DataHub posts, as the body of a request, instead.",
    }),
  }),
  answer: payload<{ received: number }>("What `receiveMetadataProposals` answers.").with({
    received: typed("NonNegativeInt", "How many came. All of them are taken."),
  }),
  resolve: async (input, context) => {
    return { received: await receive(context, await readMessages(context, input)) };
  },
});

interface Posted {
  proposals?: readonly unknown[] | null | undefined;
  upload?: UploadedFile | null | undefined;
}

async function readMessages(context: GraphqlContext, { proposals, upload }: Posted): Promise<Iterable<unknown>> {
  if (!upload === !proposals) throw badField("proposals", "is required");
  return upload ? postedIn(await readUploadedJson(context, upload)) : (proposals ?? []);
}

/** @returns how many messages came */
async function receive(context: GraphqlContext, messages: Iterable<unknown>): Promise<number> {
  const { services, caller, nextTurn: next } = context;
  const slicer = createSlicer({ next }, caller);
  const rows = new Map<string, AspectRow[]>();
  let received = 0;
  for (const message of messages) {
    if (++received > MAX_PROPOSALS) throw badField("proposals", `may be at most ${MAX_PROPOSALS}`);
    const proposals = await slicer.run(readingProposals(message));
    const named = pipelineOf(proposals ?? []);
    const pipelines = named === "" ? await findPipelines(context, proposals ?? []) : [named];
    const read = await slicer.run(readingRows(message, proposals));
    for (const pipeline of pipelines) {
      const own = rows.getOrInsertComputed(pipeline, () => []);
      for (const row of read) own.push(row);
    }
    if (slicer.isDue()) await slicer.next();
  }
  for (const [pipeline, own] of rows) {
    const to = { type: dataHubConnector, sender: toSender(pipeline) };
    await receiveAspects({ store: services.metadata, slicer }, originOf(context), to, own);
  }
  return received;
}

/**
 * Of proposals that name no pipeline. The result of a run belongs to that of its beginning, and the removal of an entity
 * to all that said something of the entity: who removes it by hand knows of no pipeline.
 */
async function findPipelines(context: GraphqlContext, proposals: readonly Proposal[]): Promise<string[]> {
  const { aspects } = context.services.metadata;
  const { id } = originOf(context).workspace;
  const [run, removed] = [runOf(proposals), removedIn(proposals)];
  const found = run === null && removed === null ? [] : await aspects.listConnectors(id, run ?? removed ?? "");
  const pipelines = run === null ? found : found.slice(0, 1);
  return pipelines.length > 0 ? pipelines : [dataHubConnector.type];
}

queryField("ingestionCheckpoint", "write", {
  type: "String",
  nullable: true,
  description:
    "The last checkpoint of a job of DataHub's ingestion, as JSON, which its next run reads. Null: there is none.",
  args: builder.args((t) => ({ urn: t.field({ type: "String", required: true, description: "The urn of the job." }) })),
  resolve: (_root, { urn }, context) =>
    context.services.metadata.aspects.findBody(originOf(context).workspace.id, urn, CHECKPOINT),
});

/** Rows in which a name is looked for. */
const MAX_SEARCHED = 20_000;

queryField("ingestedUrns", "write", {
  type: ["String"],
  description: "The urns of the domains or terms of DataHub with a name, by which recipes mean them.",
  args: builder.args((t) => ({
    entity: t.field({ type: "String", required: true, description: "`domain` or `glossaryTerm`." }),
    name: t.field({ type: "String", required: true, description: "The name, or the id in the urn." }),
  })),
  resolve: async (_root, { entity, name }, context) => {
    const { services, caller, nextTurn: next } = context;
    if (!NAMED.has(entity)) return [];
    const rows = await services.metadata.aspects.listOfKind(originOf(context).workspace.id, entity, MAX_SEARCHED);
    return createSlicer({ next }, caller).run(findNamed(rows, name));
  },
});
