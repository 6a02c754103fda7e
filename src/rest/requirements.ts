/** Prints the requirements of all routes and root fields as a table. */
import type { GraphQLObjectType, GraphQLSchema } from "graphql";

import { requirementOf } from "../graphql/authorize.ts";
import type { Requirement } from "../auth/permissions.ts";
import { MCP_SCOPE } from "../http/mcp/metadata.ts";
import { LOGOUT_PATH, MCP_PATH, PASSWORD_PATH, SESSION_PATH, SWITCH_PATH, TOKEN_PATH } from "../http/paths.ts";
import { getOperation, getRootField, type OperationSources } from "./operation.ts";
import type { Route } from "./route.ts";

const LOGIN_PATHS = [`GET ${SESSION_PATH}`, `POST ${LOGOUT_PATH}`, `POST ${SWITCH_PATH}`, `POST ${PASSWORD_PATH}`];

const WORDS: Readonly<Record<Requirement, string>> = {
  nothing: "no token; any over `/graphql`",
  token: "any token",
  self: "a login, or a token with all of its owner's role",
  read: "`read`",
  write: "`write`",
  admin: "`admin`",
  "api:manage": "`admin`, or all of one's role with `api:manage` granted",
  "metrics:certify": "`write`, of an admin or a person with the permission `metrics:certify`",
};

/** A Markdown table with one row for each root field and its routes. */
export function printRequirements(sources: OperationSources & { routes: readonly Route[] }): string {
  const routes = Map.groupBy(
    sources.routes,
    (route) => getRootField(getOperation(route, sources.operations)).name.value,
  );
  const rows = listRootTypes(sources.schema).flatMap((type) =>
    Object.values(type.getFields()).map((field) => {
      const paths = (routes.get(field.name) ?? []).map(({ method, path }) => code(`${method} ${toTemplate(path)}`));
      return [`${type.name} ${code(field.name)}`, paths.join(", "), WORDS[requirementOf(field)]] as const;
    }),
  );
  const token: readonly string[] = ["", code(`POST ${TOKEN_PATH}`), "a client's id and secret"];
  const people: readonly string[] = ["", LOGIN_PATHS.map(code).join(", "), "a session, which only a login gives"];
  const tools: readonly string[] = ["", `${code(`POST ${MCP_PATH}`)}, for every tool`, WORDS[MCP_SCOPE]];
  return ["| GraphQL | REST | needs |", "|---|---|---|", ...[...rows, token, people, tools].map(toLine)].join("\n");
}

function listRootTypes(schema: GraphQLSchema): GraphQLObjectType[] {
  return [schema.getQueryType(), schema.getMutationType()].filter((type) => type != null);
}

function toTemplate(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}

function code(text: string): string {
  return `\`${text}\``;
}

function toLine(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
