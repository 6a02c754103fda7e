/** `tributary serve` and `tributary worker`: run the service, or work for servers, until a signal stops the process. */
import { setTimeout } from "node:timers/promises";

import { Option } from "commander";

import packageJson from "../../package.json" with { type: "json" };
import type { App } from "../app.ts";
import { LINK_HOURS } from "../auth/links/link.ts";
import { readSettings } from "../settings/settings.ts";
import { writeExamples } from "./start/examples.ts";
import { makeFirstAdminLinks } from "./start/first-start.ts";
import { type FirstStart, makeFirstStart } from "./start/first-start.ts";
import { SAMPLE_NAME } from "./start/sample.ts";
import { DEFAULT_WORKSPACE, getDefaultWorkspace } from "./start/workspace.ts";
import { createLog } from "../telemetry/log.ts";
import type { Ui } from "../http/ui.ts";
import { prepareUi } from "../ui-build/prepare.ts";
import type { CommandBody } from "./command.ts";
import { printLine } from "./print.ts";
import { createProgressBar } from "./progress-bar.ts";
import { runUntilStopped } from "./run-until-stopped.ts";

export const serveCommand: CommandBody = {
  json: false,
  options: [new Option("--without-ui", "serve the APIs only: neither build nor serve the workspace UI")],
  run: ({ withoutUi = false }: { withoutUi?: boolean }) => serve(withoutUi),
};

export const workerCommand: CommandBody = {
  json: false,
  async run() {
    const settings = readSettings();
    const log = createLog(settings.logLevel);
    await runUntilStopped(
      { name: "worker", log },
      async () => {
        // Loaded only here, because other commands start faster without it.
        const { createWorker } = await import("../worker.ts");
        return createWorker(settings, log);
      },
      async (worker) => {
        await worker.start();
        printLine(`Tributary ${packageJson.version} works`);
      },
    );
  },
};

async function serve(withoutUi: boolean): Promise<void> {
  const settings = readSettings();
  const log = createLog(settings.logLevel);
  // The APIs are served while it is built.
  let ui: Ui | null = null;
  await runUntilStopped(
    { name: "server", log },
    async () => {
      // Loaded only here, because other commands start twice as fast without it.
      const { createApp } = await import("../app.ts");
      ui = withoutUi ? null : prepareUi(log);
      return createApp(settings, { log, ui });
    },
    async (app) => {
      await waitForStores(app);
      const origin = await app.listen();
      printLine(`Tributary ${packageJson.version} serves ${app.settings.dataDir}`);
      await welcome(app, origin, ui);
    },
  );
}

/** If a store is away for longer than this, answers and health say so. */
const CONNECT_MS = 3_000;

/** Until it listens, a proxy in front of several servers asks another one, instead of handing on that this one starts. */
async function waitForStores({ connected }: App): Promise<void> {
  const waiting = new AbortController();
  const late = setTimeout(CONNECT_MS, undefined, { signal: waiting.signal });
  await Promise.race([connected, late]).finally(() => waiting.abort());
}

async function welcome(app: App, origin: string, ui: Ui | null): Promise<void> {
  await app.connected;
  // A worker crawls the sample, which may be started much later.
  if (!app.settings.serverWorks) await printAddresses(app, origin, ui);
  const bar = createProgressBar(process.stdout, "Loading the sample", "Loading the sample …\n");
  const first = await makeFirstStart(app, bar.show).finally(bar.stop);
  if (first?.sample) printLine(await tellSample(app, first.sample));
  if (app.settings.serverWorks) await printAddresses(app, origin, ui);
  if (first === null) printLine("API keys  npx tributary key create --name NAME makes another");
  else await printKey(app, origin, first);
}

async function printAddresses(app: App, origin: string, ui: Ui | null): Promise<void> {
  const workspace = (await ui) === null ? "" : `Workspace ${origin}/\n`;
  printLine(`\n${workspace}GraphiQL  ${origin}/graphql\nAPI docs  ${origin}/docs`);
  // It is the first that somebody can log in to.
  await getDefaultWorkspace(app.metadata);
  await printFirstLogins(app);
}

/** Prints a link for each workspace to which nobody can log in. */
async function printFirstLogins(app: App): Promise<void> {
  for (const { workspace, url } of await makeFirstAdminLinks(app)) {
    const where = workspace.name === DEFAULT_WORKSPACE ? "" : `the workspace ${workspace.name}, `;
    printLine(`Log in    ${url}  (${where}the first admin; this works once, for ${LINK_HOURS.first_admin} hours)`);
  }
}

async function printKey({ graph }: App, origin: string, { token, workspace }: FirstStart): Promise<void> {
  printLine(`API key   ${token}  (shown this once; npx tributary key create --name NAME makes another)\n\nTry:\n`);
  const examples = await writeExamples(graph, { workspaceId: workspace.id, origin, token });
  printLine(`${examples.join("\n\n")}\n`);
}

async function tellSample(
  { graph }: App,
  { workspaceId, status, errors }: NonNullable<FirstStart["sample"]>,
): Promise<string> {
  if (status === "completed") {
    // The page of the catalog lists neither columns nor metrics.
    const { column, metric, ...others } = await graph.countNodes(workspaceId);
    const assets = Object.values(others).reduce((sum, count) => sum + count, 0);
    const removal = `npx tributary connector remove ${SAMPLE_NAME} --yes`;
    return `Loaded the sample, a shop's warehouse: ${assets} assets, ${column} columns and ${metric} metrics. ${removal} removes it.`;
  }
  return `The sample could not be loaded: ${errors.at(-1)?.message ?? status}`;
}
