/** The options of a Metabase connector: where it is, who asks, and what its databases are called in the catalog. */
import { z } from "zod";

import { isHttp } from "../http/find-url.ts";
import { instanceOption, splitEntries } from "../option-values.ts";

/** What the person who set the options says about one database of Metabase. Null: Metabase says it. */
export interface DatabaseOption {
  /** Its name or id in Metabase. */
  key: string;
  /** The warehouse's adapter, as dbt names it. */
  platform: string;
  instance: string;
  database: string | null;
  schema: string | null;
}

const address = z
  .string()
  .trim()
  .transform((text, context) => {
    const url = URL.parse(text);
    if (url === null || !isHttp(url)) {
      context.addIssue({ code: "custom", message: "must be an http(s) URL" });
      return z.NEVER;
    }
    if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
      context.addIssue({ code: "custom", message: "must be the address of Metabase alone, without user, ? and #" });
      return z.NEVER;
    }
    return url;
  });

/** Names or ids between commas. */
const names = z.string().transform(splitEntries);

const ENTRY =
  /^(?<key>.+):(?<platform>[a-z\d_-]+)(?:@(?<instance>[^/]*))?(?:\/(?<database>[^/]*)(?:\/(?<schema>[^/]*))?)?$/i;

const databases = z.string().transform((text, context): DatabaseOption[] =>
  splitEntries(text).flatMap((entry) => {
    const { key = "", platform = "", instance = "", database = null, schema = null } = ENTRY.exec(entry)?.groups ?? {};
    if (platform === "") {
      const message = `has ${JSON.stringify(entry)}, which is not like 1:postgres/shop/public or Sales:snowflake@eu/SALES`;
      context.addIssue({ code: "custom", message });
      return [];
    }
    return { key: key.trim(), platform: platform.toLowerCase(), instance, database, schema };
  }),
);

const flag = z.enum(["true", "false"], "must be true or false").transform((text) => text === "true");

export const metabaseOptions = z
  .strictObject({
    url: address.describe("Address of Metabase, such as https://metabase.example.com"),
    token: z.string().min(1).optional().describe("An API key of Metabase; instead of username and password"),
    username: z.string().trim().min(1).optional().describe("E-mail address to sign in with, if there is no API key"),
    password: z.string().min(1).optional().describe("The password of username"),
    databases: databases
      .prefault("")
      .describe(
        "What Metabase's databases are in the catalog, by name or id: 1:postgres/shop/public, Sales:snowflake@eu/SALES",
      ),
    collections: names
      .prefault("")
      .describe("Collections to read, by name, path or id, with those in them; default: all"),
    exclude: names.prefault("").describe("Collections to leave out, by name, path or id, with those in them"),
    personal: flag.prefault("false").describe("Whether to read personal collections: true or false (default)"),
    instance: instanceOption,
  })
  .superRefine(({ token, username, password }, context) => {
    const issue = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (token !== undefined && (username ?? password) !== undefined) issue("token", "must not be given with username");
    else if (token === undefined && username === undefined) issue("token", "must be given, or username and password");
    else if (token === undefined && password === undefined) issue("password", "must be given with username");
  });
export type MetabaseOptions = z.infer<typeof metabaseOptions>;
