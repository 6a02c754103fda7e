/** Certifying metrics, and taking it back. */
import type { MetricNode } from "../catalog/asset.ts";
import { type CertificationRequest, certifyMetric, withdrawCertification } from "../metrics/certify.ts";
import { builder, requires } from "./builder.ts";
import { getPrincipal, type GraphqlContext } from "./context.ts";
import { MetricType } from "./refs.ts";

interface Args {
  id: string;
  note: string;
}

function toRequest({ id, note }: Args, context: GraphqlContext): CertificationRequest {
  const { workspace, actor } = getPrincipal(context);
  return { workspace: workspace.id, id, actor: actor.name, by: actor.name, note };
}

function act(args: Args, context: GraphqlContext, use: typeof certifyMetric): Promise<MetricNode> {
  const { graph, auth } = context.services;
  return use({ graph, clock: auth.clock }, toRequest(args, context));
}

builder.mutationField("certifyMetric", (t) =>
  t.field({
    type: MetricType,
    description:
      "Certifies a metric as it is defined now, with all that feeds it; whatever changes of that takes it back. A conflict where it is certified already.",
    extensions: requires("metrics:certify"),
    args: {
      id: t.arg.id({ required: true, description: "The metric's id." }),
      note: t.arg.string({
        required: true,
        defaultValue: "",
        description: "Why, in one line of at most 1,000 characters.",
      }),
    },
    resolve: (_root, args, context) => act(args, context, certifyMetric),
  }),
);

builder.mutationField("withdrawCertification", (t) =>
  t.field({
    type: MetricType,
    description:
      "Takes a metric's certification back, its source's own too, until somebody certifies it anew. A conflict where it is not certified.",
    extensions: requires("metrics:certify"),
    args: {
      id: t.arg.id({ required: true, description: "The metric's id." }),
      note: t.arg.string({
        required: true,
        defaultValue: "",
        description: "Why, in one line of at most 1,000 characters.",
      }),
    },
    resolve: (_root, args, context) => act(args, context, withdrawCertification),
  }),
);
