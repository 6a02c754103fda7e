/** `tributary connector`: the connectors of a workspace. */
import { type Command, InvalidArgumentError } from "commander";
import { z } from "zod";

import { connectorTypes, createConnectorFinder } from "../connectors/registry.ts";
import { addConnector } from "../crawl/add-connector.ts";
import { connectorHealth, isFinished } from "../metadata/connector-health.ts";
import type { Connector } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { printLine, printTable } from "./print.ts";
import { changeWorkspace, inWorkspace, type WorkspaceOption, workspaceOption } from "./session.ts";

interface AddOptions extends WorkspaceOption {
  name: string;
  option?: Record<string, string>;
  test: boolean;
}

const PAGE = 200;
/** Syncs among which one that ended is looked for. */
const RECENT = 20;
const OPTION_WIDTH = 19;

export function addConnectorCommands(program: Command): void {
  const connector = program.command("connector").description("add and list connectors");

  connector
    .command("add")
    .description("add a connector and print its id")
    .argument("<type>", connectorTypes.map(({ type }) => type).join(", "))
    .requiredOption("--name <name>", "what to call it; assets carry this name")
    .option("--option <key=value>", "a setting of its type; repeatable", collectOption)
    .option("--no-test", "add it even if its source cannot be read now")
    .addOption(workspaceOption())
    .addHelpText("after", describeTypes)
    .action(async (type: string, { name, option: options = {}, test, workspace }: AddOptions) => {
      const { id } = await changeWorkspace({ workspace }, ({ store, settings }, origin) => {
        const findConnectorType = createConnectorFinder(settings);
        const request = { type, name, options, test };
        return addConnector({ store, findConnectorType }, origin, request, new AbortController().signal);
      });
      printLine(id);
    });

  connector
    .command("list")
    .description("list the connectors and how they are")
    .addOption(workspaceOption())
    .action(listConnectors);
}

async function listConnectors(options: WorkspaceOption): Promise<void> {
  const rows = await inWorkspace(options, async ({ store }, { id: workspaceId }) => {
    const connectors = await listAll(store, workspaceId);
    return Promise.all(connectors.map((connector) => describe(store, connector)));
  });
  printTable(["NAME", "ID", "TYPE", "HEALTH", "LAST SYNC"], rows);
}

async function listAll(store: MetadataStore, workspaceId: string): Promise<Connector[]> {
  const all: Connector[] = [];
  for (;;) {
    const page = await store.connectors.list(workspaceId, { after: all.at(-1)?.name ?? null, limit: PAGE });
    all.push(...page.items);
    if (!page.hasMore) return all;
  }
}

async function describe(store: MetadataStore, connector: Connector): Promise<string[]> {
  const { id, workspaceId, name, type } = connector;
  const recent = await store.syncs.listRecent(workspaceId, id, RECENT);
  const health = connectorHealth(connector, recent.find(isFinished) ?? null);
  const [latest] = recent;
  return [name, id, type, health, latest === undefined ? "never" : `${latest.status}, queued ${latest.queuedAt}`];
}

/** Gathers `key=value` arguments. */
function collectOption(text: string, gathered: Record<string, string> = {}): Record<string, string> {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) throw new InvalidArgumentError("It must be key=value.");
  if (Object.hasOwn(gathered, key)) throw new InvalidArgumentError(`${key} is given twice.`);
  return { ...gathered, [key]: value };
}

/** The types and their options, for the help. */
function describeTypes(): string {
  return connectorTypes
    .map(({ type, description, options }) => {
      const { properties = {} } = z.toJSONSchema(options, { io: "input", unrepresentable: "any" });
      const lines = Object.entries(properties).map(([key, value]) => {
        const about = typeof value === "object" ? value.description : undefined;
        return `  ${key.padEnd(OPTION_WIDTH)}${about ?? ""}`;
      });
      return [`\nOptions of ${type}: ${description}`, ...lines].join("\n");
    })
    .join("\n");
}
