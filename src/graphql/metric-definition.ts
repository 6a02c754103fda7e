/** Metrics that people define themselves. */
import { toNodeId } from "../ids.ts";
import {
  type DefinitionOrigin,
  type DefinitionParts,
  defineMetric,
  removeMetric,
  updateMetric,
} from "../metrics/define.ts";
import type { GivenMetric } from "../metrics/metric-input.ts";
import { builder, requires } from "./builder.ts";
import { getPrincipal, type GraphqlContext } from "./context.ts";
import { MetricKind } from "./enums.ts";
import { idPayloadType, INPUT_DESCRIPTION, payloadType } from "./mutation.ts";
import { MetricType } from "./refs.ts";

// An owner is text here: the faults of all fields are told at once, and a scalar would end at its own.
const WORDS = {
  displayName: "The name that people read.",
  kind: "How it is computed.",
  expression: "SQL over its sources, or a formula over other metrics; at most 10,000 characters.",
  grain: "The time grain, such as `day`.",
  dimensions: "What it can be broken down by.",
  filters: "SQL conditions that hold for every value of it.",
  description: "In people's words.",
  owner: "The owner's e-mail address.",
  tags: "Its tags.",
  sources:
    "Ids of the tables, models, columns and metrics that it is computed from. Where all are columns of one table, its expression tells how each is used.",
};

const DefineMetricInput = builder.inputType("DefineMetricInput", {
  description: "A metric in people's own words.",
  fields: (t) => ({
    name: t.string({
      required: true,
      description: "At most 200 characters, unique among the metrics that people define, and never changed.",
    }),
    displayName: t.string({ description: `${WORDS.displayName} The name itself, if left out.` }),
    kind: t.field({ type: MetricKind, required: true, description: WORDS.kind }),
    expression: t.string({ required: true, description: WORDS.expression }),
    grain: t.string({ description: WORDS.grain }),
    dimensions: t.stringList({ description: WORDS.dimensions }),
    filters: t.stringList({ description: WORDS.filters }),
    description: t.string({ description: WORDS.description }),
    owner: t.string({ description: WORDS.owner }),
    tags: t.stringList({ description: WORDS.tags }),
    sources: t.idList({ description: WORDS.sources }),
  }),
});

const UpdateMetricInput = builder.inputType("UpdateMetricInput", {
  description: "What changes of a metric that people define; the rest stays.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The metric's id." }),
    displayName: t.string({ description: WORDS.displayName }),
    kind: t.field({ type: MetricKind, description: WORDS.kind }),
    expression: t.string({ description: WORDS.expression }),
    grain: t.string({ description: `${WORDS.grain} Null takes it away.` }),
    dimensions: t.stringList({ description: WORDS.dimensions }),
    filters: t.stringList({ description: WORDS.filters }),
    description: t.string({ description: `${WORDS.description} Null takes it away.` }),
    owner: t.string({ description: `${WORDS.owner} Null takes it away.` }),
    tags: t.stringList({ description: WORDS.tags }),
    sources: t.idList({ description: WORDS.sources }),
  }),
});

function toGivenMetric(input: typeof DefineMetricInput.$inferInput): GivenMetric {
  return {
    name: input.name,
    displayName: input.displayName ?? input.name,
    kind: input.kind,
    expression: input.expression,
    grain: input.grain ?? "",
    dimensions: input.dimensions ?? [],
    filters: input.filters ?? [],
    description: input.description ?? "",
    owner: input.owner ?? "",
    tags: input.tags ?? [],
    sources: input.sources ?? [],
  };
}

/** The catalog writes "" for what is not known. */
function emptyForNull<Changes extends Partial<Record<"grain" | "description" | "owner", string | null | undefined>>>(
  changes: Changes,
): Changes {
  const { grain, description, owner } = changes;
  const taken = Object.entries({ grain, description, owner }).filter(([, value]) => value === null);
  return { ...changes, ...Object.fromEntries(taken.map(([key]) => [key, ""])) };
}

function partsOf({ caller, services }: GraphqlContext): DefinitionParts {
  const { graph, sqlLineage, auth } = services;
  return { graph, sqlLineage, caller, clock: auth.clock, random: auth.random };
}

function definer(context: GraphqlContext): DefinitionOrigin {
  const { workspace, actor } = getPrincipal(context);
  return { workspace, actor: actor.name };
}

builder.mutationField("defineMetric", (t) =>
  t.field({
    type: payloadType("defineMetric", "metric", MetricType, "The metric."),
    description:
      "Defines a metric that no connector states. It is listed, searched, walked and certified like any other.",
    extensions: requires("write"),
    args: { input: t.arg({ type: DefineMetricInput, required: true, description: INPUT_DESCRIPTION }) },
    resolve: async (_root, { input }, context) => ({
      changed: await defineMetric(partsOf(context), definer(context), toGivenMetric(input)),
    }),
  }),
);

builder.mutationField("updateMetric", (t) =>
  t.field({
    type: payloadType("updateMetric", "metric", MetricType, "The metric."),
    description:
      "Changes a metric that people define. If its meaning changes, its certification lapses, and so do those of the metrics that are computed from it.",
    extensions: requires("write"),
    args: { input: t.arg({ type: UpdateMetricInput, required: true, description: INPUT_DESCRIPTION }) },
    resolve: async (_root, { input: { id, ...changes } }, context) => ({
      changed: await updateMetric(partsOf(context), definer(context), toNodeId(id), emptyForNull(changes)),
    }),
  }),
);

const RemoveMetricInput = builder.inputType("RemoveMetricInput", {
  description: "Which metric to take away.",
  fields: (t) => ({ id: t.id({ required: true, description: "The metric's id." }) }),
});

builder.mutationField("removeMetric", (t) =>
  t.field({
    type: idPayloadType("removeMetric", "The metric's id."),
    description: "Removes a metric that people defined. Its trail is kept in case it is defined again.",
    extensions: requires("write"),
    args: { input: t.arg({ type: RemoveMetricInput, required: true, description: INPUT_DESCRIPTION }) },
    resolve: async (_root, { input: { id } }, context) => {
      await removeMetric(partsOf(context), definer(context), toNodeId(id));
      return { id };
    },
  }),
);
