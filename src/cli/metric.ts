/** `tributary metric`: the metrics of a workspace and their certification. */
import { Argument, Option } from "commander";
import { z } from "zod";

import { AppError } from "../errors.ts";
import type { Client } from "./client.ts";
import { type CommandBody, list } from "./command.ts";
import { getNamedNode } from "./named-node.ts";
import { printItems } from "./print.ts";

const asker = z.object({ viewer: z.object({ name: z.string() }) });
const listed = z.object({
  id: z.string(),
  fqn: z.string(),
  kind: z.string(),
  certification: z.string(),
  certifiedBy: z.string().nullable(),
  certifiedAt: z.string().nullable(),
});
const step = z.object({
  at: z.string(),
  action: z.string(),
  from: z.string(),
  to: z.string(),
  actor: z.string(),
  note: z.string().nullable(),
});
const trail = z.object({ metric: z.object({ audit: z.array(step) }) });

const METRIC = new Argument("<metric>", "its name, fully qualified name or id");
const ACT_OPTIONS = [
  new Option("--note <text>", "the reason, in one line").default(""),
  new Option("--user <user>", "the user who does it, by e-mail address or id (default: the workspace's first admin)"),
];

export const metricCommands: CommandBody = {
  reach: "catalog",
  commands: [
    {
      name: "list",
      description: "list the metrics and their certification",
      run: list("ListMetrics", listed, {
        METRIC: "fqn",
        ID: "id",
        KIND: "kind",
        CERTIFICATION: "certification",
        BY: "certifiedBy",
        AT: "certifiedAt",
      }),
    },
    {
      name: "certify",
      description: "certify a metric with its present definition and everything upstream",
      done: "The metric is certified.",
      arguments: [METRIC],
      options: ACT_OPTIONS,
      run: act("CertifyMetric"),
    },
    {
      name: "withdraw",
      description: "withdraw a certification until somebody certifies the metric again",
      done: "The certification is withdrawn.",
      arguments: [METRIC],
      options: ACT_OPTIONS,
      run: act("WithdrawCertification"),
    },
    {
      name: "trail",
      description: "show the history of a metric's certification, oldest first",
      arguments: [METRIC],
      async run(client: Client, named: string) {
        const { id } = await getNamedNode(client, named, "metric");
        const { metric } = await client.ask("CertificationTrail", { id }, trail);
        printItems(metric.audit, { AT: "at", ACTION: "action", FROM: "from", TO: "to", ACTOR: "actor", NOTE: "note" });
      },
    },
  ],
};

function act(operation: "CertifyMetric" | "WithdrawCertification") {
  return async (client: Client, named: string, { note, user }: { note: string; user?: string }): Promise<unknown> => {
    const { id } = await getNamedNode(client, named, "metric");
    try {
      return await client.ask(operation, { input: { id, note } }, z.unknown());
    } catch (error) {
      if (user === undefined || !(error instanceof AppError) || error.code !== "forbidden") throw error;
      const { viewer } = await client.ask("WhoAsks", {}, asker);
      const granting = `tributary person grant ${viewer.name} metrics:certify allows an engineer to`;
      throw new AppError("forbidden", `${viewer.name} may not certify metrics; ${granting}.`, { cause: error });
    }
  };
}
