/** Metrics that people define themselves. */
import { toNodeId } from "../ids.ts";
import {
  type DefinitionOrigin,
  type DefinitionParts,
  defineMetric,
  removeMetric,
  updateMetric,
} from "../metrics/define.ts";
import { getPrincipal, type GraphqlContext } from "./context.ts";
import { MetricKind } from "./enums.ts";
import { mutation, shows, showsId } from "./mutation.ts";
import { MetricType } from "./refs.ts";

// The owner is plain text here. A scalar would refuse it before the faults of all fields are reported together.
const WORDS = {
  displayName: "The name that people read.",
  kind: "How it is computed.",
  expression: "SQL over its sources, or a formula over other metrics; at most 10,000 characters.",
  grain: "The time grain, such as `day`.",
  dimensions: "The dimensions by which it can be broken down.",
  filters: "SQL conditions that apply to all of its values.",
  description: "What it measures, in plain words.",
  owner: "The owner's e-mail address.",
  tags: "Its tags.",
  sources:
    "Ids of the tables, models, columns and metrics that it is computed from. If all are columns of one table, its expression shows how each is used.",
};

/** Replaces null by "", which the catalog stores for unknown values. */
function emptyForNull<Changes extends Partial<Record<"grain" | "description" | "owner", string | null | undefined>>>(
  changes: Changes,
): Changes {
  const { grain, description, owner } = changes;
  const taken = Object.entries({ grain, description, owner }).filter(([, value]) => value === null);
  return { ...changes, ...Object.fromEntries(taken.map(([key]) => [key, ""])) };
}

function partsOf({ caller, services }: GraphqlContext): DefinitionParts {
  const { graph, sqlLineage, auth } = services;
  return { graph, audit: auth.store.audit, sqlLineage, caller, clock: auth.clock, random: auth.random };
}

function definer(context: GraphqlContext): DefinitionOrigin {
  const { workspace, actor } = getPrincipal(context);
  return { workspace, actor: actor.name };
}

mutation("defineMetric", {
  description:
    "Defines a metric that no connector states. It is listed, searched, walked and certified like any other.",
  requires: "write",
  input: "A metric that people define.",
  fields: (t) => ({
    name: t.string({
      required: true,
      description: "At most 200 characters, unique among the metrics that people define. It can never be changed.",
    }),
    displayName: t.string({ description: `${WORDS.displayName} If left out, the same as \`name\`.` }),
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
  answer: shows("metric", MetricType, "The metric."),
  resolve: ({ displayName, grain, dimensions, filters, description, owner, tags, sources, ...given }, context) =>
    defineMetric(partsOf(context), definer(context), {
      ...given,
      displayName: displayName ?? given.name,
      grain: grain ?? "",
      dimensions: dimensions ?? [],
      filters: filters ?? [],
      description: description ?? "",
      owner: owner ?? "",
      tags: tags ?? [],
      sources: sources ?? [],
    }),
});

mutation("updateMetric", {
  description:
    "Changes a metric that people define. If its meaning changes, its certification lapses, and so do the certifications of all metrics that are computed from it.",
  requires: "write",
  input: "What to change about a metric that people define. Everything else stays as it is.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The metric's id." }),
    displayName: t.string({ description: WORDS.displayName }),
    kind: t.field({ type: MetricKind, description: WORDS.kind }),
    expression: t.string({ description: WORDS.expression }),
    grain: t.string({ description: `${WORDS.grain} Null removes it.` }),
    dimensions: t.stringList({ description: WORDS.dimensions }),
    filters: t.stringList({ description: WORDS.filters }),
    description: t.string({ description: `${WORDS.description} Null removes it.` }),
    owner: t.string({ description: `${WORDS.owner} Null removes it.` }),
    tags: t.stringList({ description: WORDS.tags }),
    sources: t.idList({ description: WORDS.sources }),
  }),
  answer: shows("metric", MetricType, "The metric."),
  resolve: ({ id, ...changes }, context) =>
    updateMetric(partsOf(context), definer(context), toNodeId(id), emptyForNull(changes)),
});

mutation("removeMetric", {
  description:
    "Removes a metric that people defined. The history of its certification is kept, in case it is defined again.",
  requires: "write",
  input: "Which metric to remove.",
  fields: (t) => ({ id: t.id({ required: true, description: "The metric's id." }) }),
  answer: showsId("The metric's id."),
  resolve: async ({ id }, context) => {
    await removeMetric(partsOf(context), definer(context), toNodeId(id));
    return id;
  },
});
