/** Answers clients of DataHub in its own forms. What they send goes through GraphQL, like everything else. */
import { z } from "zod";

import packageJson from "../../../package.json" with { type: "json" };
import type { RefusalTrail } from "../../auth/refusals.ts";
import { CHECKPOINT } from "../../connectors/datahub/rows.ts";
import { typeOf } from "../../connectors/datahub/urn.ts";
import { AppError, badField } from "../../errors.ts";
import { authorize } from "../../graphql/authorize.ts";
import type { OperationRunner } from "../../graphql/run-operation.ts";
import { UploadedFile } from "../../graphql/uploaded-file.ts";
import { JSON_TYPE } from "../answer/error-answer.ts";
import { parseJson, readJsonText } from "../body/json-body.ts";
import type { Uploads } from "../body/upload.ts";
import type { Check, Middleware, RestContext } from "../state.ts";
import type { DATAHUB_ENDPOINTS } from "./rows.ts";

interface DataHubParts {
  runner: OperationRunner;
  refusals: RefusalTrail;
  lookAgain: Check;
  uploads: Readonly<Record<"proposals", Uploads>>;
}

/** `noCode` is how clients know the service. Without further features they use the forms that are answered here. */
const CONFIG = {
  noCode: "true",
  statefulIngestionCapable: true,
  versions: { tributary: { version: packageJson.version } },
  telemetry: { enabledCli: false, enabledIngestion: false },
};

const received = z.object({ receiveMetadataProposals: z.object({ received: z.int() }) });
const found = z.object({ ingestionCheckpoint: z.string().nullable() });
const asked = z.array(z.looseObject({}));
const wanted = z.object({ urn: z.string(), aspect: z.string() });

const named = z.object({ ingestedUrns: z.array(z.string()) });

/** A search as DataHub's client asks for what has a name. Older clients send one value, newer ones a list. */
const search = z.object({
  entity: z.string(),
  filter: z.object({
    or: z.tuple([
      z.object({
        and: z.tuple([
          z.union([
            z.object({ field: z.literal("name"), values: z.tuple([z.string()]) }).transform(({ values }) => values[0]),
            z.object({ field: z.literal("name"), value: z.string() }).transform(({ value }) => value),
          ]),
        ]),
      }),
    ]),
  }),
});

const refuseReading = (): Promise<never> =>
  Promise.reject(new AppError("not_found", "Aspects are not given back: look for the asset in the catalog."));

export function createDataHubHandlers({
  runner,
  refusals,
  lookAgain,
  uploads,
}: DataHubParts): Record<keyof typeof DATAHUB_ENDPOINTS, Middleware> {
  const allowed =
    (answer: (ctx: RestContext) => Promise<unknown>): Middleware =>
    async (ctx) => {
      await authorize(ctx.state, "write", refusals);
      ctx.set("Content-Type", JSON_TYPE);
      ctx.body = JSON.stringify(await answer(ctx));
    };
  const byAction = (answers: Readonly<Record<string, (ctx: RestContext) => Promise<unknown>>>): Middleware =>
    allowed((ctx) => {
      const { action } = ctx.query;
      const answer = typeof action === "string" && Object.hasOwn(answers, action) ? answers[action] : undefined;
      if (answer === undefined) throw badField("action", `must be one of ${Object.keys(answers).join(", ")}`);
      return answer(ctx);
    });
  const take = (ctx: RestContext): Promise<unknown> =>
    uploads.proposals.receive(ctx, "proposals", async (file) => {
      await lookAgain(ctx);
      const variables = { proposals: new UploadedFile(file) };
      return { value: received.parse(await runner.run("ReceiveMetadataProposals", variables, ctx.state)) };
    });
  const takeEntities = async (ctx: RestContext): Promise<unknown[]> => {
    await take(ctx);
    return [];
  };
  const remove = async (ctx: RestContext, urn: unknown): Promise<unknown> => {
    const entityType = typeof urn === "string" ? typeOf(urn) : undefined;
    if (entityType === undefined) throw badField("urn", "must be a urn, such as urn:li:dataset:(…)");
    const proposal = { entityType, entityUrn: urn, changeType: "DELETE", aspectName: `${entityType}Key`, aspect: {} };
    await runner.run("SendMetadataProposals", { proposals: [proposal] }, ctx.state);
    return { value: { urn } };
  };
  const removePosted = async (ctx: RestContext): Promise<unknown> => {
    const { urn } = Object(parseJson(await readJsonText(ctx)));
    await lookAgain(ctx);
    return remove(ctx, urn);
  };
  const readBack = async (ctx: RestContext): Promise<unknown> => {
    const { success, data } = wanted.safeParse(parseJson(await readJsonText(ctx)));
    if (!success) throw badField("urn", "is required, and so is aspect: both are texts");
    const { urn, aspect } = data;
    await lookAgain(ctx);
    if (aspect !== CHECKPOINT) return { value: { values: [] } };
    const { ingestionCheckpoint: value } = found.parse(await runner.run("ReadIngestionCheckpoint", { urn }, ctx.state));
    const values = value === null ? [] : [{ aspect: { value, contentType: "application/json" } }];
    return { value: { values } };
  };
  /** Another search finds nothing: what is known is in the catalog. */
  const find = async (ctx: RestContext): Promise<unknown> => {
    const { data } = search.safeParse(parseJson(await readJsonText(ctx)));
    await lookAgain(ctx);
    const variables = data && { entity: data.entity, name: data.filter.or[0].and[0] };
    const urns = variables ? named.parse(await runner.run("FindIngestedUrns", variables, ctx.state)).ingestedUrns : [];
    const entities = urns.map((entity) => ({ entity }));
    return { value: { from: 0, pageSize: urns.length, numEntities: urns.length, entities } };
  };
  return {
    readDatahubConfig: allowed(() => Promise.resolve(CONFIG)),
    sendDatahubAspects: byAction({
      ingestProposal: take,
      ingestProposalBatch: take,
      getTimeseriesAspectValues: readBack,
    }),
    sendDatahubEntitiesByType: allowed(takeEntities),
    patchDatahubEntitiesByType: allowed(takeEntities),
    removeDatahubEntity: allowed((ctx) => remove(ctx, Object(ctx["params"]).urn)),
    readDatahubAspect: allowed(refuseReading),
    readDatahubEntityAspects: allowed(refuseReading),
    readDatahubEntity: allowed(refuseReading),
    findDatahubEntities: allowed(() => Promise.resolve({ scrollId: null, entities: [] })),
    readDatahubEntities: allowed(async (ctx) => {
      if (!asked.safeParse(parseJson(await readJsonText(ctx))).success)
        throw badField("body", "must be a list of entities");
      return [];
    }),
    sendDatahubEntities: byAction({ ingest: take, ingestBatch: take, delete: removePosted, search: find }),
    sendDatahubUsage: byAction({ batchIngest: take }),
    sendDatahubEvent: byAction({ producePlatformEvent: take }),
  };
}
