/** The options of a PostgreSQL connector: which server, who asks, and which databases and schemas are read. */
import { z } from "zod";

import { fold, isStorableName } from "../../catalog/text.ts";
import { decodePercent } from "../../characters.ts";
import { instanceOption, nameOption } from "../option-values.ts";

const DEFAULT_PORT = 5432;

/** Where a server accepts connections. */
export interface Endpoint {
  /** A name or an address; an IPv6 address is in brackets. */
  host: string;
  port: number;
}

const url = z
  .string()
  .trim()
  .superRefine((text, context) => {
    const fault = findUrlFault(text);
    if (fault !== null) context.addIssue({ code: "custom", message: fault });
  });

const FORM = "must have the form postgres://host:port/database";

function findUrlFault(text: string): string | null {
  const parsed = URL.parse(text);
  if (parsed === null || !["postgres:", "postgresql:"].includes(parsed.protocol)) return FORM;
  const { username, password, search, hash, hostname } = parsed;
  if (username !== "" || password !== "") {
    return "must not contain a user name or password: use the options user and password";
  }
  if (search !== "" || hash !== "") return "must end with the database: other settings are options, such as ssl";
  if (hostname === "" || /[,%]/.test(hostname)) return `${FORM}, with one host`;
  const database = findDatabase(parsed);
  return database === null || !isStorableName(database) ? FORM : null;
}

/** Returns null if the path is not one name. */
function findDatabase({ pathname }: URL): string | null {
  const [, name = ""] = /^\/([^/]+)$/.exec(pathname) ?? [];
  return decodePercent(name) || null;
}

/** A list with commas. Empty entries and repetitions are dropped. */
const list = z
  .string()
  .refine(isStorableName, "must not contain control characters")
  .transform((text) => [...new Set(text.split(",").map((entry) => entry.trim()))].filter((entry) => entry !== ""));

const databases = list.superRefine((names, context) => {
  for (const alike of Map.groupBy(names, fold).values()) {
    if (alike.length > 1) {
      context.addIssue({
        code: "custom",
        message: `must not name databases that differ only in case: ${alike.join(", ")}`,
      });
    }
  }
});

export const postgresOptions = z.strictObject({
  url: url.describe("Where the database is: postgres://host:port/database, without a user name or password"),
  user: nameOption
    .min(1, "must name a role of the server")
    .describe("The role that reads the catalog; it needs the right to connect and no other"),
  password: z
    .string()
    .min(1)
    .refine((text) => !text.includes("\0"), "must not contain the character NUL")
    .optional()
    .describe("The password of the role"),
  databases: databases
    .optional()
    .describe("Databases of the same server to read, with commas between them; by default the one of the URL"),
  schemas: list
    .optional()
    .describe("Schemas to read, with commas between them; * stands for any characters and ? for one; by default all"),
  exclude_schemas: list.optional().describe("Schemas to leave out, in the form of the option schemas"),
  ssl: z
    .enum(["disable", "require", "verify-full"], "must be disable, require or verify-full")
    .optional()
    .describe(
      "verify-full checks the server's certificate, require does not; by default verify-full, on this machine disable",
    ),
  ssl_root_cert: z
    .string()
    .trim()
    .min(1, "must name a file")
    .optional()
    .describe(
      "Path of the PEM file with the certificate authority of the server; by default those that Node.js trusts",
    ),
  alike_names: z
    .enum(["error", "warning"], "must be error or warning")
    .default("error")
    .describe("How a sync tells that it leaves out a name that differs from another one only in case"),
  instance: instanceOption,
});
export type PostgresOptions = z.infer<typeof postgresOptions>;

export function endpointOf({ url: text }: Pick<PostgresOptions, "url">): Endpoint {
  const { hostname, port } = new URL(text);
  return { host: hostname.toLowerCase(), port: port === "" ? DEFAULT_PORT : Number(port) };
}

/** At least one. */
export function databasesOf({
  url: text,
  databases: named = [],
}: Pick<PostgresOptions, "url" | "databases">): string[] {
  return named.length > 0 ? named : [findDatabase(new URL(text)) ?? ""];
}
