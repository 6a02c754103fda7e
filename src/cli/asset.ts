/** `tributary asset`: descriptions, tags and owners that people set, over those of connectors. */
import { Argument, Option } from "commander";

import { EDITABLE_FIELDS, type EditableField } from "../catalog/edits.ts";
import { AppError } from "../errors.ts";
import type { Client } from "./client.ts";
import type { CommandBody } from "./command.ts";
import { getNamedNode } from "./named-node.ts";
import { printItems } from "./print.ts";

interface EditOptions {
  description?: string;
  tag?: string[];
  owner?: string;
  reset?: EditableField[];
}

export const assetCommand: CommandBody = {
  reach: "catalog",
  commands: [
    {
      name: "edit",
      description: "set an asset's description, tags or owner; your values replace those of connectors",
      arguments: [new Argument("<asset>", "its name, fully qualified name or id")],
      options: [
        new Option("--description <text>", "the description; an empty text means that there is none"),
        new Option("--tag <tag...>", "all of its tags"),
        new Option("--owner <email>", "the owner's e-mail address"),
        new Option("--reset <field...>", "give fields back to the connectors").choices(EDITABLE_FIELDS),
        new Option("--user <user>", "the user who makes the change, by e-mail address or id (default: the operator)"),
      ],
      run: editAsset,
    },
  ],
};

async function editAsset(
  client: Client,
  named: string,
  { description, tag, owner, reset = [] }: EditOptions,
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
  const { id } = await getNamedNode(client, named);
  const { asset } = (await client.ask("EditAsset", { input: { id, ...edit } })).updateAsset;
  const values = { description: asset.description ?? "", tags: asset.tags.join(", "), owner: asset.owner ?? "" };
  const fields = EDITABLE_FIELDS.map((field) => {
    const last = asset.edits.find((each) => each.field === field);
    return { field, value: values[field], by: last?.by, isReset: last?.isReset, at: last?.at };
  });
  printItems(
    fields,
    {
      FIELD: "field",
      VALUE: "value",
      "EDITED BY": ({ by = "", isReset }) => `${by}${isReset ? " (reset)" : ""}`,
      AT: "at",
    },
    "It has no field that can be edited.",
  );
}
