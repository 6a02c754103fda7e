/** `tributary metric`: the metrics of a workspace and their certification. */
import { Argument, Option } from "commander";

import { AppError } from "../errors.ts";
import type { Client } from "./client.ts";
import { type CommandBody, list } from "./command.ts";
import { getNamedNode } from "./named-node.ts";
import { printItems } from "./print.ts";

const METRIC = new Argument("<metric>", "its name, fully qualified name or id");
const ACT_OPTIONS = [
  new Option("--note <text>", "the reason, in one line").default(""),
  new Option("--user <user>", "the user who does it, by e-mail address or id (default: the workspace's first admin)"),
];

export const metricCommand: CommandBody = {
  reach: "catalog",
  commands: [
    {
      name: "list",
      description: "list the metrics and their certification",
      run: list(
        "ListMetrics",
        {
          METRIC: "fqn",
          ID: "id",
          KIND: "kind",
          CERTIFICATION: "certification",
          BY: "certifiedBy",
          AT: "certifiedAt",
        },
        "No metrics. Sync a connector that has some, such as a dbt project, or define one in the workspace.",
      ),
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
        const { metric } = await client.ask("CertificationTrail", { id });
        printItems(
          metric.audit,
          { AT: "at", ACTION: "action", FROM: "from", TO: "to", ACTOR: "actor", NOTE: "note" },
          "It was never certified. `tributary metric certify` does it.",
        );
      },
    },
  ],
};

function act(operation: "CertifyMetric" | "WithdrawCertification") {
  return async (client: Client, named: string, { note, user }: { note: string; user?: string }): Promise<unknown> => {
    const { id } = await getNamedNode(client, named, "metric");
    try {
      return await client.ask(operation, { input: { id, note } });
    } catch (error) {
      if (user === undefined || !(error instanceof AppError) || error.code !== "forbidden") throw error;
      const { viewer } = await client.ask("WhoAsks", {});
      const granting = `tributary person grant ${viewer.name} metrics:certify allows an engineer to`;
      throw new AppError("forbidden", `${viewer.name} may not certify metrics; ${granting}.`, { cause: error });
    }
  };
}
