/** Certifies metrics, and withdraws certifications. */
import type { MetricNode } from "../catalog/asset.ts";
import { toNodeId } from "../ids.ts";
import { certifyMetric, withdrawCertification } from "../metrics/certify.ts";
import { loadActor } from "./actor.ts";
import { type GraphqlContext, originOf } from "./context.ts";
import { type InputBuilder, mutation, shows } from "./mutation.ts";
import { MetricType } from "./refs.ts";

const stepFields = (t: InputBuilder) => ({
  id: t.id({ required: true, description: "The metric's id." }),
  note: t.string({ required: true, defaultValue: "", description: "Why, in one line of at most 1,000 characters." }),
});

async function act(
  input: { id: string; note: string },
  context: GraphqlContext,
  use: typeof certifyMetric,
): Promise<MetricNode> {
  const { graph, auth } = context.services;
  const origin = originOf(context);
  const { actor } = origin;
  // The command line acts under its own name. The certification names the person whom it acts for.
  const by = (await loadActor(actor.id, context))?.name ?? actor.name;
  const request = { origin, id: toNodeId(input.id), by, note: input.note };
  return use({ graph, ...auth }, request);
}

mutation("certifyMetric", {
  description:
    "Certifies a metric as it is defined now, with everything that feeds it. If any of that changes, the certification lapses. Answers a conflict if the metric is certified already.",
  requires: "metrics:certify",
  input: "Which metric to certify.",
  fields: stepFields,
  answer: shows("metric", MetricType, "The metric."),
  resolve: (input, context) => act(input, context, certifyMetric),
});

mutation("withdrawCertification", {
  description:
    "Withdraws the certification of a metric, even if its source states it, until somebody certifies it again. Answers a conflict if the metric is not certified.",
  requires: "metrics:certify",
  input: "Which metric's certification to withdraw.",
  fields: stepFields,
  answer: shows("metric", MetricType, "The metric."),
  resolve: (input, context) => act(input, context, withdrawCertification),
});
