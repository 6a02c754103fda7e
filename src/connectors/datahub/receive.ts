/** The connector of what DataHub's ingestion posts. There is one for each recipe, and its syncs read what the recipe sent. */
import { hash } from "node:crypto";

import { z } from "zod";

import type { ConnectorType } from "../connector.ts";
import { isKey } from "./aspects.ts";
import { type NamingOptions, namingOptionsShape } from "./options.ts";
import type { Proposal } from "./proposal.ts";
import { CHECKPOINT } from "./rows.ts";
import { crawlAspects } from "./state.ts";
import { parseUrn } from "./urn.ts";

const checkpoint = z.object({ pipelineName: z.string() });

/** The recipe that proposals belong to, also if they only tell of the recipe's run; "" if they do not say. */
export function pipelineOf(proposals: readonly Proposal[]): string {
  for (const { urn, aspect, value, pipeline } of proposals) {
    if (pipeline !== "") return pipeline;
    if (aspect === CHECKPOINT) return checkpoint.safeParse(value).data?.pipelineName ?? "";
    const [flow = ""] = parseUrn(urn)?.parts ?? [];
    const { type, parts: [orchestrator, name = ""] = [] } = parseUrn(flow) ?? {};
    if (type === "dataFlow" && orchestrator === "datahub") return name;
    if (isOwn(urn)) return pipelineIn(value);
  }
  return "";
}

/** The urn of DataHub's own run that proposals tell of; null if they tell of something else. */
export function runOf(proposals: readonly Proposal[]): string | null {
  return proposals.find(({ urn }) => isOwn(urn))?.urn ?? null;
}

/** The entity that proposals remove; null if they say something else. */
export function removedIn(proposals: readonly Proposal[]): string | null {
  const removal = proposals.find(
    ({ aspect, change: kind, value }) =>
      (kind === "delete" && isKey(aspect)) || (aspect === "status" && Object(value).removed === true),
  );
  return removal?.urn ?? null;
}

function isOwn(urn: string): boolean {
  return urn.startsWith("urn:li:dataHub");
}

const withRecipe = z.union([
  z.object({ config: z.object({ recipe: z.string() }) }).transform(({ config }) => config.recipe),
  z.object({ args: z.object({ recipe: z.string() }) }).transform(({ args }) => args.recipe),
]);
const named = z.object({ pipeline_name: z.string() });

/** Characters of a recipe in which its name is looked for. A longer one would keep others waiting. */
const MAX_RECIPE = 200_000;

function pipelineIn(value: unknown): string {
  try {
    const recipe = withRecipe.parse(value);
    return recipe.length > MAX_RECIPE ? "" : named.parse(JSON.parse(recipe)).pipeline_name;
  } catch {
    return "";
  }
}

/** The option that shows a name that the connector could not get. */
export const PIPELINE_NAME = "pipeline_name";

const LEGAL = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const MAX_READABLE = 50;
const MAX_SHOWN = 200;
/** Characters of a name that are looked at, apart from its digest. A name may be as long as a body. */
const MAX_LOOKED_AT = 1_000;

/**
 * The name of a pipeline's connector, and its options. A name that no connector may have becomes a legal one, which is
 * always the same and tells two such pipelines apart; the options show the given one.
 */
export function toSender(pipeline: string): { name: string; options: Record<string, string> } {
  if (LEGAL.test(pipeline)) return { name: pipeline, options: {} };
  const readable = pipeline
    .slice(0, MAX_LOOKED_AT)
    .replaceAll(/[^A-Za-z0-9._]+/g, "-")
    .replaceAll(/^[^A-Za-z0-9]+|-$/g, "")
    .slice(0, MAX_READABLE);
  const mark = hash("sha256", pipeline, "hex").slice(0, 8);
  const shown = pipeline.slice(0, MAX_SHOWN).replaceAll(/\p{C}/gu, " ").toWellFormed();
  return { name: [readable, mark].filter((part) => part !== "").join("-"), options: { [PIPELINE_NAME]: shown } };
}

export const dataHubConnector = {
  type: "datahub",
  description: "What DataHub's recipes send to the sink datahub-rest, from any of its eighty sources.",
  precedence: 45,
  lineagePrecedence: 90,
  options: z.strictObject({
    ...namingOptionsShape.shape,
    [PIPELINE_NAME]: z
      .string()
      .optional()
      .describe("The recipe's `pipeline_name`, if it cannot be the name of a connector. It only shows whose this is"),
  }),
  secretOptions: [],
  pull: {
    estimateSeconds: () => Promise.resolve(1),
    test: () => Promise.resolve([]),
    crawl: (options, { now }, aspects) => crawlAspects(aspects, options, { now: now() }),
  },
} satisfies ConnectorType<NamingOptions>;
