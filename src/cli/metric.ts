/** `tributary metric`: the metrics of a workspace and their certification. */
import type { Command } from "commander";
import { z } from "zod";

import { AppError } from "../errors.ts";
import { addClientOptions, type ClientOptions, withClient } from "./client.ts";
import { listAll } from "./list-all.ts";
import { getNamedNode } from "./named-node.ts";
import { printTable } from "./print.ts";

interface ActOptions extends ClientOptions {
  note: string;
}

export function addMetricCommands(program: Command): void {
  const metric = program
    .command("metric")
    .description("list and certify metrics, withdraw certifications and show their history");

  addClientOptions(metric.command("list")).description("list the metrics and their certification").action(printMetrics);

  actCommand(metric, "certify", "certify a metric with its present definition and everything upstream").action(
    (named: string, options: ActOptions) => act("CertifyMetric", named, options),
  );

  actCommand(metric, "withdraw", "withdraw a certification until somebody certifies the metric again").action(
    (named: string, options: ActOptions) => act("WithdrawCertification", named, options),
  );

  addClientOptions(metric.command("trail"))
    .description("show the history of a metric's certification, oldest first")
    .argument("<metric>", "its name, fully qualified name or id")
    .action(showTrail);
}

function actCommand(metric: Command, name: string, description: string): Command {
  return addClientOptions(metric.command(name))
    .description(description)
    .argument("<metric>", "its name, fully qualified name or id")
    .option("--note <text>", "the reason, in one line", "")
    .option("--user <user>", "the user who does it, by e-mail address or id (default: the workspace's first admin)");
}

async function act(operation: string, named: string, { note, ...options }: ActOptions): Promise<void> {
  await withClient(options, async (client) => {
    const { id } = await getNamedNode(client, named, "metric");
    try {
      await client.ask(operation, { input: { id, note } }, z.unknown());
    } catch (error) {
      if (options.user === undefined || !(error instanceof AppError) || error.code !== "forbidden") throw error;
      const { viewer } = await client.ask("WhoAsks", {}, asker);
      const granting = `tributary person grant ${viewer.name} metrics:certify allows an engineer to`;
      throw new AppError("forbidden", `${viewer.name} may not certify metrics; ${granting}.`, { cause: error });
    }
  });
}

const asker = z.object({ viewer: z.object({ name: z.string() }) });

const metricLine = z.object({
  id: z.string(),
  fqn: z.string(),
  kind: z.string(),
  certification: z.string(),
  certifiedBy: z.string().nullable(),
  certifiedAt: z.string().nullable(),
});

async function printMetrics(options: ClientOptions): Promise<void> {
  const metrics = await withClient(options, (client) => listAll(client, "ListMetrics", metricLine));
  printTable(
    ["METRIC", "ID", "KIND", "CERTIFICATION", "BY", "AT"],
    metrics.map(({ fqn, id, kind, certification, certifiedBy, certifiedAt }) => {
      return [fqn, id, kind, certification, certifiedBy ?? "", certifiedAt ?? ""];
    }),
  );
}

const trail = z.object({
  metric: z.object({
    audit: z.array(
      z.object({
        at: z.string(),
        action: z.string(),
        from: z.string(),
        to: z.string(),
        actor: z.string(),
        note: z.string().nullable(),
      }),
    ),
  }),
});

async function showTrail(named: string, options: ClientOptions): Promise<void> {
  const { metric } = await withClient(options, async (client) => {
    const { id } = await getNamedNode(client, named, "metric");
    return client.ask("CertificationTrail", { id }, trail);
  });
  printTable(
    ["AT", "ACTION", "FROM", "TO", "ACTOR", "NOTE"],
    metric.audit.map(({ at, action, from, to, actor, note }) => [at, action, from, to, actor, note ?? ""]),
  );
}
