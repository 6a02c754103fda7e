/** Everything that can be asked of the service, as raw HTTP requests: each route, root field and tool. */
import type { Requirement } from "../../src/auth/permissions.ts";
import { requirementOf } from "../../src/graphql/authorize.ts";
import { loadOperations } from "../../src/graphql/operations.ts";
import { schema } from "../../src/graphql/schema.ts";
import { getRequirement } from "../../src/rest/operation.ts";
import { ROUTES } from "../../src/rest/routes.ts";
import { TOOLS } from "../../src/tools/tools.ts";
import { listRootFieldDocuments } from "./root-field-documents.ts";

export interface Target {
  name: string;
  kind: "rest" | "graphql" | "mcp";
  /** The requirement of its root field; `nothing` for REST's open routes and pages. */
  requirement: Requirement;
  takesId: boolean;
  /** The request without its Host and Authorization. @param id for every parameter and argument that is an id */
  write(id: string): { line: string; type: string; body: string };
}

/** An id that no workspace has. */
export const NOWHERE = "0".repeat(32);

const sources = { schema, operations: loadOperations() };

function restTargets(): Target[] {
  return ROUTES.map((route) => {
    const { path, method, input } = route;
    // The connector of a list is a filter by its name.
    const ids = method === "GET" ? ["asset_id"] : ["asset_id", "connector"];
    const named = ids.find((name) => input.query?.[name] !== undefined);
    const query = named === undefined ? "" : `?${named}=`;
    const inBody = input.body?.["asset_id"] !== undefined;
    const asks = input.body?.["query"] !== undefined;
    return {
      name: `${method} ${path}`,
      kind: "rest",
      requirement: getRequirement(route, sources),
      takesId: query !== "" || inBody || input.path !== undefined,
      write: (id) => ({
        line: `${method} ${path.replaceAll(/:\w+/g, id)}${query && `${query}${id}`}`,
        type: inBody || asks || input.upload !== undefined ? "application/json" : "",
        body: inBody
          ? JSON.stringify({ asset_id: id, change_type: "deprecate" })
          : asks
            ? '{"query":"Who owns it?"}'
            : input.upload === undefined
              ? ""
              : "{}",
      }),
    };
  });
}

function graphqlTargets(): Target[] {
  return listRootFieldDocuments().map(({ name, field, takesId, write }) => ({
    name,
    kind: "graphql",
    requirement: requirementOf(field),
    takesId,
    write: (id) => ({
      line: "POST /graphql",
      type: "application/json",
      body: JSON.stringify({ query: write(id) }),
    }),
  }));
}

/** The arguments for each tool. */
const TOOL_ARGUMENTS: Readonly<Record<string, (id: string) => Record<string, unknown>>> = {
  get_assets: (id) => ({ ids: [id] }),
  list_columns: (id) => ({ id }),
  walk_lineage: (id) => ({ id, direction: "upstream" }),
  find_paths: (id) => ({ from: id, to: id }),
  why_did_it_change: (id) => ({ id }),
  assess_impact: (id) => ({ id, changeType: "deprecate" }),
  ask: () => ({ question: "Who owns it?" }),
};

function mcpTargets(): Target[] {
  return TOOLS.map(({ name }) => ({
    name: `the tool ${name}`,
    kind: "mcp",
    requirement: "read",
    takesId: name !== "ask" && TOOL_ARGUMENTS[name] !== undefined,
    write: (id) => ({
      line: "POST /mcp",
      type: "application/json",
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name, arguments: TOOL_ARGUMENTS[name]?.(id) ?? {} },
      }),
    }),
  }));
}

function page(line: string, requirement: Requirement): Target {
  return { name: line, kind: "rest", requirement, takesId: false, write: () => ({ line, type: "", body: "" }) };
}

/** Every REST route, root field and tool that needs a token. `health` of GraphQL is asked with one too. */
export const GUARDED: readonly Target[] = [
  ...restTargets().filter(({ requirement }) => requirement !== "nothing"),
  ...graphqlTargets(),
  ...mcpTargets(),
  page("GET /api/v1/nonsense", "token"),
  page("GET /datahub/config", "write"),
  page("GET /datahub/nonsense", "token"),
];

/** Health, which is open even to locked-out addresses. */
export const EXEMPT: readonly Target[] = [
  ...restTargets().filter(({ requirement }) => requirement === "nothing"),
  page("GET /health/live", "nothing"),
  page("GET /health/ready", "nothing"),
];

/** Targets that need no token, but are closed to locked-out addresses. */
export const PUBLIC: readonly Target[] = [
  "GET /docs",
  "GET /openapi.json",
  "GET /graphql",
  "GET /.well-known/oauth-protected-resource",
  "GET /.well-known/oauth-protected-resource/mcp",
].map((line) => page(line, "nothing"));

/** A request to the token endpoint. */
export function tokenRequest(form: Readonly<Record<string, string>>): Target {
  const line = "POST /oauth/token";
  const type = "application/x-www-form-urlencoded";
  const write = () => ({ line, type, body: new URLSearchParams(form).toString() });
  return { name: line, kind: "rest", requirement: "nothing", takesId: false, write };
}
