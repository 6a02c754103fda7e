/** The catalog as a tree of platforms, databases and schemas. One level is read at a time. */
import { z } from "zod";

import { badField } from "../errors.ts";
import type { FolderPath } from "../catalog/identity.ts";
import { builder, emptyAsNull, objectType, queryField, typed, typedOrNull } from "./builder.ts";
import { connectionType, pageArgs, parsePageSize, toConnection } from "./connection.ts";
import { workspaceOf } from "./context.ts";

interface Folder {
  name: string;
  platform: string;
  /** What the filter `schema` takes; null for a platform. */
  schema: string | null;
  amount: number;
}

const FolderType = objectType<Folder>("Folder", "A platform, a database or a schema, with the assets in it.").with({
  name: emptyAsNull(
    "The platform; the database, in lower case; or the schema within its database. Null for assets without a database, and for those directly in one.",
  ),
  platform: typed("String", "Its platform, as the filter `platform` of `assets` takes it."),
  schema: typedOrNull(
    "String",
    "Its path, as the filter `schema` of `assets` takes it; null for a platform. With `directly`, the list has exactly what a schema counts.",
  ),
  assetCount: (t) => t.expose("amount", typed("NonNegativeInt", "How many assets are in it, without columns.")),
});

const FolderConnection = connectionType("Folder", "folder", FolderType, null);

/** The name within the folder above. */
function toFolder(value: string, { platform, database }: FolderPath): Omit<Folder, "amount"> {
  if (platform === undefined) return { name: value, platform: value, schema: null };
  const name = database === undefined || database === "" ? value : value.slice(database.length + 1);
  return { name, platform, schema: value };
}

queryField("folders", "read", {
  type: FolderConnection,
  description:
    "The assets by platform, database and schema: the platforms; with `platform`, its databases; with `database` too, the schemas in that. In the order of names.",
  args: builder.args((t) => ({
    platform: t.string({
      description: "The platform whose databases are listed, as `platform` of a folder says it.",
    }),
    database: t.string({
      description: "The database whose schemas are listed, as `schema` of a folder says it. Only with `platform`.",
    }),
    ...pageArgs,
  })),
  complexity: (args) => ({ field: 1, multiplier: args.first }),
  resolve: async (_root, { first, after: cursor, ...args }, context) => {
    const path: FolderPath = { platform: args.platform ?? undefined, database: args.database ?? undefined };
    if (path.database !== undefined && path.platform === undefined) {
      throw badField("database", "can be given only with platform");
    }
    const limit = parsePageSize(first);
    context.budget.draw("rows", limit);
    const { cursors } = context.services;
    const query = [workspaceOf(context), "folders", path];
    const after = cursor ? cursors.read(cursor, query, z.string()) : null;
    const { items, hasMore } = await context.graph.listFolders(workspaceOf(context), path, { after, limit });
    const folders = items.map(({ value, amount }) => ({ node: { ...toFolder(value, path), amount }, value }));
    const connection = toConnection(folders, {
      limit,
      hasMore,
      after,
      cursorOf: (it) => cursors.issue(query, it.value),
    });
    return { ...connection, countAll: () => null };
  },
});
