/** The three ways to ask the service, each with answers in one form, so that they can be compared. */
import type { Client } from "@modelcontextprotocol/client";

import { NODE_TYPES } from "../../src/catalog/node-types.ts";
import { excerpt } from "../../src/characters.ts";
import type { GraphqlClient } from "./graphql-client.ts";
import { callToTheEnd } from "./mcp.ts";
import { at, type Json, type RestClient } from "./rest-client.ts";

/** Questions that every interface can answer. */
export type Question =
  | { about: "search"; search: string; type: string | undefined }
  | { about: "metrics"; search: string }
  | { about: "asset" | "columns"; id: string }
  | { about: "walk"; id: string; direction: string; depth: number; uses: "direct" | "all" }
  | { about: "impact"; id: string; change: string };

/** Answers a question with the fields that all three interfaces have. */
export type Face = (question: Question) => Promise<Json>;

const MAX_LISTED_TEXT = 300;
const MAX_EXPRESSION = 200;

/** Texts that are empty in REST and null in GraphQL if they are unknown. */
const UNKNOWN = new Set(["owner", "description", "connector", "type", "transformation", "expression"]);

function pick(value: Json, names: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(
    Object.entries(names).map(([to, path]) => {
      const found = at(value, ...path.split("."));
      return [to, found === null && UNKNOWN.has(to) ? "" : found];
    }),
  );
}

function pickAll(list: Json, names: Readonly<Record<string, string>>): Json[] {
  return listOf(list).map((each) => pick(each, names));
}

function listOf(value: Json): Json[] {
  if (!Array.isArray(value)) throw new Error(`no list: ${JSON.stringify(value)}`);
  return value;
}

function namesOf(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, name]));
}

/** Cuts long texts as lists do. */
function cut(list: Json[], most: Readonly<Record<string, number>>): Json[] {
  return list.map((each) =>
    Object.fromEntries(
      Object.entries(each as Record<string, Json>).map(([name, value]) => [
        name,
        most[name] === undefined ? value : excerpt(String(value), most[name]),
      ]),
    ),
  );
}

const LISTED = namesOf("id", "type", "name", "fqn", "description", "tags", "certification", "owner");
const METRIC = namesOf("id", "name", "certification", "owner");
const WALKED = namesOf("id", "name", "type", "depth");
const AFFECTED = namesOf("id", "name", "type", "risk", "reason", "path", "owner");
const EVIDENCE = namesOf("kind", "level", "transformation", "expression");
const EDGE = namesOf("from", "to", "kind");

const sorted = (edges: Json[]): Json[] => edges.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** REST and GraphQL tell them by risk, the tools begin with what people look at. */
function affected(list: Json): Json[] {
  return sorted(
    listOf(list).map((each) => [
      pick(each, AFFECTED),
      cut(pickAll(at(each, "evidence"), EVIDENCE), { expression: MAX_EXPRESSION }),
    ]),
  );
}

/** By REST, page after page. */
export function createRestFace(rest: RestClient, limit: number): Face {
  const ok = async (path: string, body?: object): Promise<Json> => {
    const asked = body && { method: "POST", body: JSON.stringify(body) };
    const answer = await rest(`/api/v1${path}`, asked);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  };
  async function list(path: string, query: Record<string, string | undefined>): Promise<Json[]> {
    const found: Json[] = [];
    for (let cursor: Json = undefined; cursor !== null;) {
      const given = Object.entries({ ...query, limit: String(limit), cursor });
      const used = given.filter((each): each is [string, string] => typeof each[1] === "string" && each[1] !== "");
      const page: Json = await ok(`${path}?${new URLSearchParams(used).toString()}`);
      found.push(...listOf(at(page, "data")));
      cursor = at(page, "pagination", "next_cursor") ?? null;
    }
    return found;
  }
  return async (asked) => {
    switch (asked.about) {
      case "search": {
        const found = await list("/catalog/assets", { search: asked.search, type: asked.type });
        return cut(pickAll(found, { ...LISTED, updatedAt: "updated_at" }), { description: MAX_LISTED_TEXT });
      }
      case "metrics": {
        const found = await list("/metrics", { search: asked.search });
        const names = {
          ...METRIC,
          displayName: "display_name",
          definition: "definition_summary",
          updatedAt: "updated_at",
        };
        return cut(pickAll(found, names), { definition: MAX_LISTED_TEXT });
      }
      case "asset":
        return pick(await ok(`/catalog/assets/${asked.id}`), {
          ...LISTED,
          updatedAt: "updated_at",
          connector: "source_connector",
          upstream: "lineage_summary.upstream_count",
          downstream: "lineage_summary.downstream_count",
        });
      case "columns":
        return pickAll(at(await ok(`/catalog/assets/${asked.id}`), "columns"), namesOf("name", "type", "description"));
      case "walk": {
        const uses = String(asked.uses === "all");
        const query = `asset_id=${asked.id}&depth=${asked.depth}&include_indirect=${uses}`;
        const walk = await ok(`/lineage/${asked.direction}?${query}`);
        return {
          nodes: pickAll(at(walk, "nodes"), WALKED),
          edges: sorted(pickAll(at(walk, "edges"), EDGE)),
          total: at(walk, "total_nodes"),
          completeness: pick(at(walk, "completeness"), { complete: "complete", asOf: "as_of", gaps: "gaps_total" }),
        };
      }
      case "impact": {
        const impact = await ok("/lineage/impact", { asset_id: asked.id, change_type: asked.change });
        return {
          summary: pick(at(impact, "summary"), {
            total: "total_affected",
            high: "high_risk_count",
            medium: "medium_risk_count",
            low: "low_risk_count",
          }),
          affected: affected(at(impact, "affected")),
          completeness: pick(at(impact, "completeness"), { complete: "complete", asOf: "as_of", gaps: "gaps_total" }),
        };
      }
    }
  };
}

const SUMMARY = {
  total: "totalAffected",
  high: "highRiskCount",
  medium: "mediumRiskCount",
  low: "lowRiskCount",
};
const COMPLETENESS = { complete: "complete", asOf: "asOf", gaps: "gapsTotal" };
const METRIC_NAMES = { ...METRIC, displayName: "displayName", definition: "definitionSummary", updatedAt: "updatedAt" };
const ASSET_NAMES = {
  ...LISTED,
  updatedAt: "updatedAt",
  connector: "sourceConnector",
  upstream: "lineageSummary.upstreamCount",
  downstream: "lineageSummary.downstreamCount",
};

/** By GraphQL, each question in its own document. */
export function createGraphqlFace(graphql: GraphqlClient): Face {
  const ok = async (query: string, variables: Record<string, unknown>): Promise<Json> => {
    const { data, codes, message } = await graphql(query, variables);
    if (codes.length > 0) throw new Error(message);
    return data;
  };
  async function list(field: string, fields: string, variables: Record<string, unknown>): Promise<Json[]> {
    const types = field === "assets" ? ", $types: [AssetType!]" : "";
    const given = field === "assets" ? ", types: $types" : "";
    const query = `query ($search: String, $after: String${types}) {
      ${field}(search: $search, first: 200, after: $after${given}) { nodes { ${fields} } pageInfo { nextCursor } }
    }`;
    const found: Json[] = [];
    for (let after: Json = undefined; after !== null;) {
      const page: Json = await ok(query, { ...variables, after });
      found.push(...listOf(at(page, field, "nodes")));
      after = at(page, field, "pageInfo", "nextCursor") ?? null;
    }
    return found;
  }
  const completeness = "completeness { complete asOf gapsTotal }";
  return async (asked) => {
    switch (asked.about) {
      case "search": {
        const types = asked.type && [asked.type];
        const fields = "id type name fqn description tags certification owner updatedAt";
        const found = await list("assets", fields, { search: asked.search, types });
        return cut(pickAll(found, { ...LISTED, updatedAt: "updatedAt" }), { description: MAX_LISTED_TEXT });
      }
      case "metrics": {
        const fields = "id name displayName certification owner definitionSummary updatedAt";
        const found = await list("metrics", fields, { search: asked.search });
        return cut(pickAll(found, METRIC_NAMES), { definition: MAX_LISTED_TEXT });
      }
      case "asset": {
        const query = `query ($id: ID!) { asset(id: $id) { id type name fqn description tags certification owner updatedAt
          sourceConnector lineageSummary { upstreamCount downstreamCount } } }`;
        return pick(at(await ok(query, { id: asked.id }), "asset"), ASSET_NAMES);
      }
      case "columns": {
        const query = "query ($id: ID!) { asset(id: $id) { columns { name dataType description } } }";
        const columns = at(await ok(query, { id: asked.id }), "asset", "columns");
        return pickAll(columns, { name: "name", type: "dataType", description: "description" });
      }
      case "walk": {
        const { about: _, ...variables } = asked;
        const query = `query ($id: ID!, $direction: Direction!, $depth: Int!, $uses: FollowedUses!) {
          lineage(id: $id, direction: $direction, depth: $depth, uses: $uses) {
            nodes { id name type depth } edges { from to kind } totalNodes ${completeness}
          } }`;
        const walk = at(await ok(query, variables), "lineage");
        return {
          nodes: pickAll(at(walk, "nodes"), WALKED),
          edges: sorted(pickAll(at(walk, "edges"), EDGE)),
          total: at(walk, "totalNodes"),
          completeness: pick(at(walk, "completeness"), COMPLETENESS),
        };
      }
      case "impact": {
        const query = `query ($id: ID!, $change: ChangeType!) { impact(id: $id, changeType: $change) {
          summary { totalAffected highRiskCount mediumRiskCount lowRiskCount } ${completeness}
          affected { id name type risk reason path owner evidence { kind level transformation expression } } } }`;
        const impact = at(await ok(query, { id: asked.id, change: asked.change }), "impact");
        return {
          summary: pick(at(impact, "summary"), SUMMARY),
          affected: affected(at(impact, "affected")),
          completeness: pick(at(impact, "completeness"), COMPLETENESS),
        };
      }
    }
  };
}

/** By the tools, page after page, each within its size limit. */
export function createMcpFace(client: Client, bounds: { limit: number; maxCharacters: number }): Face {
  async function call(name: string, given: Record<string, unknown>) {
    const { items, pages } = await callToTheEnd(client, name, { ...given, ...bounds });
    for (const page of pages) {
      const { length } = JSON.stringify(page);
      if (length > bounds.maxCharacters) throw new Error(`a page of ${name} has ${length} characters`);
      if (listOf(at(page, "items")).length !== at(page, "returned")) throw new Error("it counts its items wrongly");
    }
    const total = at(pages[0], "total") ?? null;
    if (total !== null && total !== items.length)
      throw new Error(`${String(total)} were told, and ${items.length} came`);
    return { items, first: pages[0] };
  }
  return async (asked) => {
    switch (asked.about) {
      case "search": {
        const given = { ...(asked.search && { search: asked.search }), ...(asked.type && { types: [asked.type] }) };
        return pickAll((await call("search_assets", given)).items, { ...LISTED, updatedAt: "updatedAt" });
      }
      case "metrics": {
        const { items } = await call("list_metrics", asked.search === "" ? {} : { search: asked.search });
        return pickAll(items, METRIC_NAMES);
      }
      case "asset": {
        const { maxCharacters } = bounds;
        const { items } = await callToTheEnd(client, "get_assets", { ids: [asked.id], maxCharacters });
        return pick(items[0], ASSET_NAMES);
      }
      case "columns": {
        const { items } = await call("list_columns", { id: asked.id });
        return pickAll(items, { name: "name", type: "dataType", description: "description" });
      }
      case "walk": {
        const { about: _, ...given } = asked;
        const { items, first } = await call("walk_lineage", given);
        return {
          nodes: pickAll(items, WALKED),
          edges: sorted(items.flatMap((item) => pickAll(at(item, "edges"), EDGE))),
          total: at(first, "reached"),
          completeness: pick(at(first, "completeness"), COMPLETENESS),
        };
      }
      case "impact": {
        const { items, first } = await call("assess_impact", {
          id: asked.id,
          changeType: asked.change,
          types: NODE_TYPES,
        });
        return {
          summary: pick(at(first, "counts"), { total: "total", high: "high", medium: "medium", low: "low" }),
          affected: affected(items),
          completeness: pick(at(first, "completeness"), COMPLETENESS),
        };
      }
    }
  };
}
