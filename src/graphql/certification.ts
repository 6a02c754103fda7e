/** Certifies metrics, and withdraws certifications. */
import type { MetricNode } from "../catalog/asset.ts";
import { toNodeId } from "../ids.ts";
import { certifyMetric, withdrawCertification } from "../metrics/certify.ts";
import { loadActor } from "./actor.ts";
import { builder, requires } from "./builder.ts";
import { type GraphqlContext, originOf } from "./context.ts";
import { INPUT_DESCRIPTION, payloadType } from "./mutation.ts";
import { MetricType } from "./refs.ts";

const NOTE = "Why, in one line of at most 1,000 characters.";

const CertifyMetricInput = builder.inputType("CertifyMetricInput", {
  description: "Which metric to certify.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The metric's id." }),
    note: t.string({ required: true, defaultValue: "", description: NOTE }),
  }),
});

const WithdrawCertificationInput = builder.inputType("WithdrawCertificationInput", {
  description: "Which metric's certification to withdraw.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The metric's id." }),
    note: t.string({ required: true, defaultValue: "", description: NOTE }),
  }),
});

async function act(
  input: { id: string; note: string },
  context: GraphqlContext,
  use: typeof certifyMetric,
): Promise<{ changed: MetricNode }> {
  const { graph, auth } = context.services;
  const origin = originOf(context);
  const { actor } = origin;
  // The command line acts under its own name. The certification names the person whom it acts for.
  const by = (await loadActor(actor.id, context))?.name ?? actor.name;
  const request = { origin, id: toNodeId(input.id), by, note: input.note };
  return { changed: await use({ graph, ...auth }, request) };
}

builder.mutationField("certifyMetric", (t) =>
  t.field({
    type: payloadType("certifyMetric", "metric", MetricType, "The metric."),
    description:
      "Certifies a metric as it is defined now, with everything that feeds it. If any of that changes, the certification lapses. Answers a conflict if the metric is certified already.",
    extensions: requires("metrics:certify"),
    args: { input: t.arg({ type: CertifyMetricInput, required: true, description: INPUT_DESCRIPTION }) },
    resolve: (_root, { input }, context) => act(input, context, certifyMetric),
  }),
);

builder.mutationField("withdrawCertification", (t) =>
  t.field({
    type: payloadType("withdrawCertification", "metric", MetricType, "The metric."),
    description:
      "Withdraws the certification of a metric, even if its source states it, until somebody certifies it again. Answers a conflict if the metric is not certified.",
    extensions: requires("metrics:certify"),
    args: { input: t.arg({ type: WithdrawCertificationInput, required: true, description: INPUT_DESCRIPTION }) },
    resolve: (_root, { input }, context) => act(input, context, withdrawCertification),
  }),
);
