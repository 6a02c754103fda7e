/** `tributary asset`: descriptions, tags and owners that people set, over those of connectors. */
import { type Command, Option } from "commander";
import { z } from "zod";

import { EDITABLE_FIELDS, type EditableField } from "../catalog/edits.ts";
import { AppError } from "../errors.ts";
import { addClientOptions, type ClientOptions, withClient } from "./client.ts";
import { getNamedNode } from "./named-node.ts";
import { printTable } from "./print.ts";

interface EditOptions extends ClientOptions {
  description?: string;
  tag?: string[];
  owner?: string;
  reset?: EditableField[];
}

const edited = z.object({
  updateAsset: z.object({
    asset: z.object({
      description: z.string().nullable(),
      tags: z.array(z.string()),
      owner: z.string().nullable(),
      edits: z.array(
        z.object({ field: z.enum(EDITABLE_FIELDS), by: z.string(), at: z.string(), isReset: z.boolean() }),
      ),
    }),
  }),
});

export function addAssetCommands(program: Command): void {
  const asset = program.command("asset").description("edit assets");

  addClientOptions(asset.command("edit"))
    .description("set an asset's description, tags or owner; your values replace those of connectors")
    .argument("<asset>", "its name, fully qualified name or id")
    .option("--description <text>", "the description; an empty text means that there is none")
    .option("--tag <tag...>", "all of its tags")
    .option("--owner <email>", "the owner's e-mail address")
    .addOption(new Option("--reset <field...>", "give fields back to the connectors").choices(EDITABLE_FIELDS))
    .option("--user <user>", "the user who makes the change, by e-mail address or id (default: the operator)")
    .action(editAsset);
}

async function editAsset(
  named: string,
  { description, tag, owner, reset = [], ...options }: EditOptions,
): Promise<void> {
  const set = Object.fromEntries(
    Object.entries({ description, tags: tag, owner }).filter(([, value]) => value !== undefined),
  );
  const twice = reset.find((field) => Object.hasOwn(set, field));
  if (twice !== undefined) throw new AppError("bad_request", `${twice} cannot be set and reset in one command.`);
  const edit = { ...set, ...Object.fromEntries(reset.map((field) => [field, null])) };
  if (Object.keys(edit).length === 0) {
    throw new AppError("bad_request", "Say what to change: --description, --tag, --owner or --reset.");
  }
  const { updateAsset } = await withClient(options, async (client) => {
    const { id } = await getNamedNode(client, named);
    return client.ask("EditAsset", { input: { id, ...edit } }, edited);
  });
  const { asset } = updateAsset;
  const values = { description: asset.description ?? "", tags: asset.tags.join(", "), owner: asset.owner ?? "" };
  printTable(
    ["FIELD", "VALUE", "EDITED BY", "AT"],
    EDITABLE_FIELDS.map((field) => {
      const last = asset.edits.find((each) => each.field === field);
      return [field, values[field], `${last?.by ?? ""}${last?.isReset ? " (reset)" : ""}`, last?.at ?? ""];
    }),
  );
}
