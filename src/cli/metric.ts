/** `tributary metric`: the metrics of a workspace, and whether they can be trusted. */
import type { Command } from "commander";
import { z } from "zod";

import { fromCommandLine, fromOperator, type Origin } from "../auth/origin.ts";
import { requirePermission, scopesOf } from "../auth/permissions.ts";
import { isMetric, type MetricNode } from "../catalog/asset.ts";
import { certifyMetric, withdrawCertification } from "../metrics/certify.ts";
import { listMetrics } from "../metrics/list-metrics.ts";
import { AppError } from "../errors.ts";
import type { CatalogGraph } from "../graph/catalog-graph.ts";
import type { User, Workspace } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { getFirstAdmin } from "../start/workspace.ts";
import { addClientOptions, type ClientOptions, withClient } from "./client.ts";
import { getUser } from "./find.ts";
import { getNamedNode } from "./named-node.ts";
import { printTable } from "./print.ts";
import { type WorkspaceOption, withServices, workspaceOption } from "./session.ts";

interface ActOptions extends WorkspaceOption {
  note: string;
  user?: string;
}

export function addMetricCommands(program: Command): void {
  const metric = program.command("metric").description("list, certify and withdraw metrics, and show their trails");

  addClientOptions(metric.command("list")).description("list the metrics and their certification").action(printMetrics);

  actCommand(metric, "certify", "certify a metric as it is defined now, with all that feeds it").action(
    (nameOrId: string, options: ActOptions) => act(nameOrId, options, certifyMetric),
  );

  actCommand(metric, "withdraw", "take a certification back until somebody certifies the metric anew").action(
    (nameOrId: string, options: ActOptions) => act(nameOrId, options, withdrawCertification),
  );

  addClientOptions(metric.command("trail"))
    .description("show the history of a metric's certification, oldest first")
    .argument("<metric>", "its name, fully qualified name or id")
    .action(showTrail);
}

function actCommand(metric: Command, name: string, description: string): Command {
  return metric
    .command(name)
    .description(description)
    .argument("<metric>", "its name, fully qualified name or id")
    .option("--note <text>", "why, in one line", "")
    .option("--user <user>", "who does it, by e-mail address or id; the workspace's first admin, if left out")
    .addOption(workspaceOption());
}

async function act(nameOrId: string, { note, user, ...options }: ActOptions, use: typeof certifyMetric): Promise<void> {
  await withServices(options, async ({ graph, metadata }, workspace, { clock }) => {
    const { actor, by } = await findCertifier(metadata, workspace, user);
    const { id } = await getMetric(graph, workspace, nameOrId);
    await use({ graph, clock }, { workspace: workspace.id, id, actor, by, note });
  });
}

/** @throws AppError `not_found`, `forbidden` or, for a user who is disabled, `conflict` */
async function findCertifier(
  store: MetadataStore,
  workspace: Workspace,
  emailOrId: string | undefined,
): Promise<{ actor: string; by: string }> {
  const named = emailOrId === undefined ? null : await getUser(store, workspace.id, emailOrId);
  const user = named ?? (await getFirstAdmin(store, workspace));
  if (user.disabledAt !== null) throw new AppError("conflict", `${user.email} is disabled.`);
  const origin = named === null ? fromOperator(workspace, user) : fromCommandLine(workspace, user);
  requireCertifier(user, origin);
  return { actor: origin.actor.name, by: user.email };
}

function requireCertifier({ role, email }: User, { actor, grants }: Origin): void {
  try {
    requirePermission({ actor, role, grants, scopes: scopesOf(role) }, "metrics:certify");
  } catch (refusal) {
    const granting = `tributary user grant ${email} metrics:certify allows an engineer to`;
    throw new AppError("forbidden", `${email} may not certify metrics; ${granting}.`, { cause: refusal });
  }
}

const metricPage = z.object({
  metrics: z.object({
    nodes: z.array(
      z.object({
        id: z.string(),
        fqn: z.string(),
        kind: z.string(),
        certification: z.string(),
        certifiedBy: z.string().nullable(),
        certifiedAt: z.string().nullable(),
      }),
    ),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  }),
});

async function printMetrics(options: ClientOptions): Promise<void> {
  const rows = await withClient(options, async (client) => {
    const all: string[][] = [];
    for (let after: string | null = null; ;) {
      const { metrics }: z.output<typeof metricPage> = await client.ask("ListMetrics", { after }, metricPage);
      for (const { fqn, id, kind, certification, certifiedBy, certifiedAt } of metrics.nodes) {
        all.push([fqn, id, kind, certification, certifiedBy ?? "", certifiedAt ?? ""]);
      }
      if (!metrics.pageInfo.hasNextPage) return all;
      after = metrics.pageInfo.endCursor;
    }
  });
  printTable(["METRIC", "ID", "KIND", "CERTIFICATION", "BY", "AT"], rows);
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
        note: z.string(),
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
    metric.audit.map(({ at, action, from, to, actor, note }) => [at, action, from, to, actor, note]),
  );
}

/** @throws AppError `not_found`, and `bad_request` for a name that several metrics have */
async function getMetric(graph: CatalogGraph, { id, name }: Workspace, wanted: string): Promise<MetricNode> {
  const byFqn = await graph.findByFqn(id, wanted, { type: "metric" });
  const [byId] = await graph.loadNodes(id, [wanted]);
  const exact = [byFqn, byId].find(isMetric);
  if (exact !== undefined) return exact;
  const named = (await listMetrics(graph, id)).filter((metric) => metric.name === wanted);
  const [found, another] = named;
  if (another !== undefined) {
    const names = named.map(({ fqn }) => fqn).join(", ");
    throw new AppError("bad_request", `Several metrics are called ${wanted}: ${names}.`);
  }
  if (found !== undefined) return found;
  throw new AppError(
    "not_found",
    `There is no metric ${wanted} in the workspace ${name}; tributary metric list shows what there is.`,
  );
}
