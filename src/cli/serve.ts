/** `tributary serve`: runs the service until a signal stops it. */
import type { Command } from "commander";

import packageJson from "../../package.json" with { type: "json" };
import type { App } from "../app.ts";
import { LINK_HOURS } from "../auth/links/link.ts";
import { readSettings } from "../settings.ts";
import { writeExamples } from "../start/examples.ts";
import { makeFirstAdminLinks } from "../start/first-admin.ts";
import { type FirstStart, makeFirstStart } from "../start/first-start.ts";
import { SAMPLE_NAME } from "../start/sample.ts";
import { DEFAULT_WORKSPACE } from "../start/workspace.ts";
import { createLog } from "../log.ts";
import type { Ui } from "../rest/ui/answer.ts";
import { prepareUi } from "../ui-build/prepare.ts";
import { endProcess } from "./end-process.ts";
import { printLine, surviveUnreadOutput } from "./print.ts";
import { createProgressBar } from "./progress-bar.ts";
import { watchForStop } from "./stop-signal.ts";

export function addServeCommand(program: Command): void {
  program
    .command("serve")
    .description("run the service, as npm start does")
    .option("--without-ui", "serve the APIs only: neither build nor serve the workspace UI")
    .action(async ({ withoutUi = false }: { withoutUi?: boolean }) => serve(withoutUi));
}

async function serve(withoutUi: boolean): Promise<void> {
  surviveUnreadOutput();
  const settings = readSettings();
  const log = createLog(settings.logLevel);
  let app: App | undefined;
  const stop = watchForStop({
    onDeadline: () => {
      const waitingFor = app?.closing() ?? ["the start"];
      log.error({ waitingFor, resources: process.getActiveResourcesInfo() }, "the server did not stop in time");
    },
  });
  let exitCode = 0;
  const stopForFault = (err: unknown): void => {
    log.fatal({ err }, "the server stops: an error was caught by nothing");
    exitCode = 1;
    stop.begin(exitCode);
  };
  process.on("uncaughtException", stopForFault);
  process.on("unhandledRejection", stopForFault);

  // Loaded only here, because other commands start twice as fast without it.
  const { createApp } = await import("../app.ts");
  // The APIs are served while it is built.
  const ui = withoutUi ? null : prepareUi(log);
  app = await createApp(settings, { log, ui });
  try {
    const origin = await app.listen();
    printLine(`Tributary ${packageJson.version} serves ${app.settings.dataDir}`);
    await Promise.race([welcome(app, origin, ui), stop.asked]);
    await stop.asked;
  } finally {
    await app.close();
  }
  await endProcess(exitCode);
}

async function welcome(app: App, origin: string, ui: Ui | null): Promise<void> {
  await app.connected;
  const bar = createProgressBar(process.stdout, "Loading the sample", "Loading the sample …\n");
  const first = await makeFirstStart(app, bar.show).finally(bar.stop);
  if (first?.sample) printLine(tellSample(first.sample));
  const workspace = (await ui) === null ? "" : `Workspace ${origin}/\n`;
  printLine(`\n${workspace}GraphiQL  ${origin}/graphql\nAPI docs  ${origin}/docs`);
  await printFirstLogins(app);
  if (first === null) printLine("API keys  npx tributary key create --name NAME makes another");
  else await printKey(app, origin, first);
}

/** Prints a link for each workspace to which nobody can log in. */
async function printFirstLogins(app: App): Promise<void> {
  for (const { workspace, url } of await makeFirstAdminLinks(app)) {
    const place = workspace.name === DEFAULT_WORKSPACE ? "" : `the workspace ${workspace.name}, `;
    printLine(`Log in    ${url}  (${place}the first admin; this works once, for ${LINK_HOURS.first_admin} hours)`);
  }
}

async function printKey({ graph }: App, origin: string, { token, workspace }: FirstStart): Promise<void> {
  printLine(`API key   ${token}  (shown this once; npx tributary key create --name NAME makes another)\n\nTry:\n`);
  const examples = await writeExamples(graph, { workspaceId: workspace.id, origin, token });
  printLine(`${examples.join("\n\n")}\n`);
}

function tellSample({ status, assetsDiscovered, errors }: NonNullable<FirstStart["sample"]>): string {
  if (status === "completed") {
    const removal = `npx tributary connector remove ${SAMPLE_NAME} --yes`;
    return `Loaded the sample, a shop's warehouse: ${assetsDiscovered} assets. ${removal} removes it.`;
  }
  return `The sample could not be loaded: ${errors.at(-1)?.message ?? status}`;
}
