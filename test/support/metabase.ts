/** A server that answers as Metabase's API does (https://www.metabase.com/docs/latest/api), and can fail as one may. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

import { type NotingServer, serveHttp } from "./http-server.ts";

type Json = Record<string, unknown>;

export interface MetabaseContent {
  /** Such as `v0.56.3`, as the answers call it. */
  version: string;
  collections: Json[];
  /** By the ids of their collections. */
  cards: Json[];
  dashboards: Json[];
  databases: Json[];
  tables: Json[];
  segments: Json[];
  snippets: Json[];
  users: Json[];
}

export const API_KEY = "mb_8bT3kEy+s3cret=";
export const PASSWORD = "c0rrect horse";
const SESSION = "38f4939c-ad7f-4cbe-ae54-30946daf8593";

/** Answers a request instead of Metabase, and returns true if it did. */
type Fault = (path: string, response: ServerResponse, attempt: number) => boolean;

export interface MetabaseServer extends NotingServer {
  content: MetabaseContent;
  fault: Fault;
  /** The paths that were asked for, each with its number of requests. */
  asked: Map<string, number>;
}

export async function serveMetabase(content: MetabaseContent = createShopContent()): Promise<MetabaseServer> {
  const asked = new Map<string, number>();
  const server = await serveHttp((request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://metabase");
    const attempt = (asked.get(pathname) ?? 0) + 1;
    asked.set(pathname, attempt);
    if (metabase.fault(pathname, response, attempt)) return;
    void respond(metabase.content, request, response);
  });
  const metabase: MetabaseServer = { ...server, content, asked, fault: () => false };
  return metabase;
}

async function respond(content: MetabaseContent, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, body } = await answer(content, request);
  const isText = typeof body === "string";
  response.writeHead(status, { "content-type": isText ? "text/plain" : "application/json;charset=utf-8" });
  response.end(isText ? body : JSON.stringify(body));
}

interface Answer {
  status: number;
  body: unknown;
}

const NOT_FOUND: Answer = { status: 404, body: "Not found." };

async function answer(content: MetabaseContent, request: IncomingMessage): Promise<Answer> {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://metabase");
  if (pathname === "/api/session/properties") return ok({ version: { tag: content.version }, "site-name": "Shop" });
  if (pathname === "/api/session" && request.method === "POST") {
    const { username, password } = JSON.parse(await text(request)) as Json;
    if (username === "ada@example.com" && password === PASSWORD) return ok({ id: SESSION });
    return { status: 401, body: { errors: { password: "did not match stored password" } } };
  }
  const isKnown = request.headers["x-api-key"] === API_KEY || request.headers["x-metabase-session"] === SESSION;
  if (!isKnown) return { status: 401, body: "Unauthenticated" };
  const [, , noun = "", id = "", detail = ""] = pathname.split("/");
  const find = (list: readonly Json[]): Answer => {
    const found = list.find((each) => String(each["id"]) === id);
    return found === undefined ? NOT_FOUND : ok(found);
  };
  switch (noun) {
    case "collection":
      return id === "" ? ok(content.collections) : ok(listItems(content, id, searchParams));
    case "card":
      return find(content.cards);
    case "dashboard":
      return find(content.dashboards);
    case "database":
      return ok({ data: content.databases, total: content.databases.length });
    case "table":
      return detail === "query_metadata" ? find(content.tables) : NOT_FOUND;
    case "field":
      return find(content.tables.flatMap((table) => table["fields"] as Json[]));
    case "segment":
      return find(content.segments);
    case "native-query-snippet":
      return ok(content.snippets);
    case "user":
      return id === "current" ? ok({ id: 1, is_superuser: true }) : find(content.users);
    default:
      return NOT_FOUND;
  }
}

function ok(body: unknown): Answer {
  return { status: 200, body };
}

/** A page of the items of a collection, without those in the trash. */
function listItems({ cards, dashboards, collections }: MetabaseContent, id: string, params: URLSearchParams): Json {
  const isHere = ({ collection_id: own = null, archived }: Json): boolean =>
    (id === "root" ? own === null : String(own) === id) && archived !== true;
  const offset = Number(params.get("offset") ?? 0);
  const limit = Number(params.get("limit") ?? 1_000);
  const isShown = (card: Json): boolean =>
    card["dashboard_id"] == null || params.get("show_dashboard_questions") === "true";
  const items: Json[] = [
    ...dashboards.filter(isHere).map((each) => pick(each, "dashboard")),
    ...cards
      .filter(isHere)
      .filter(isShown)
      .map((each) => pick(each, MODELS[String(each["type"])] ?? "card")),
    ...collections
      .filter(({ location }) => location === (id === "root" ? "/" : `/${id}/`))
      .map((each) => pick(each, "collection")),
  ];
  return { total: items.length, data: items.slice(offset, offset + limit), models: [], limit, offset };
}

const MODELS: Readonly<Record<string, string>> = { model: "dataset", metric: "metric" };

function pick({ id, name, description = null }: Json, model: string): Json {
  return { id, name, description, model, archived: false };
}

const ADA = { id: 1, email: "ada@example.com", first_name: "Ada", last_name: "Byron", common_name: "Ada Byron" };

/** The fields that every card of Metabase has, with the given ones. */
export function createCard(id: number, name: string, query: Json, members: Json = {}): Json {
  return {
    id,
    name,
    description: null,
    archived: false,
    collection_id: 4,
    collection_position: null,
    creator_id: 1,
    creator: ADA,
    database_id: 1,
    dashboard_id: null,
    dashboard_count: 0,
    type: "question",
    query_type: "native",
    display: "table",
    entity_id: `entity-${id}`,
    created_at: "2026-01-02T03:04:05.678Z",
    updated_at: "2026-05-06T07:08:09.123Z",
    "last-edit-info": { id: 2, email: "grace@example.com", timestamp: "2026-05-06T07:08:09.123Z" },
    moderation_reviews: [],
    result_metadata: [],
    visualization_settings: {},
    dataset_query: query,
    ...members,
  };
}

/** A native query in the form before version 57. */
export function sqlQuery(query: string, tags: Json = {}): Json {
  return { type: "native", native: { query, "template-tags": tags }, database: 1 };
}

/** A query of the query builder in the form before version 57. */
export function legacyQuery(query: Json): Json {
  return { type: "query", query, database: 1 };
}

/** A query in the form of version 57 and later. */
export function stagedQuery(...stages: Json[]): Json {
  const staged = stages.map((stage) =>
    Object.assign({ "lib/type": "native" in stage ? "mbql.stage/native" : "mbql.stage/mbql" }, stage),
  );
  return { "lib/type": "mbql/query", database: 1, stages: staged };
}

function createField(table: number, id: number, name: string, members: Json = {}): Json {
  return {
    id,
    name,
    table_id: table,
    display_name: name,
    base_type: "type/Text",
    database_type: "text",
    parent_id: null,
    nfc_path: null,
    fk_target_field_id: null,
    active: true,
    visibility_type: "normal",
    ...members,
  };
}

function createTable(id: number, name: string, fields: Json[]): Json {
  return { id, name, schema: "marts", db_id: 1, display_name: name, visibility_type: null, active: true, fields };
}

/** A Metabase of a made-up shop. Its tables are in the database `shop` of PostgreSQL. */
export function createShopContent(): MetabaseContent {
  const collection = { archived: false, type: null, personal_owner_id: null, is_personal: false, namespace: null };
  return {
    version: "v0.56.3",
    collections: [
      { id: "root", name: "Our analytics", can_write: true },
      { ...collection, id: 4, name: "Sales", slug: "sales", location: "/" },
      { ...collection, id: 5, name: "Weekly", slug: "weekly", location: "/4/" },
      {
        ...collection,
        id: 6,
        name: "Grace's Personal Collection",
        location: "/",
        personal_owner_id: 2,
        is_personal: true,
      },
      { ...collection, id: 7, name: "Trash", location: "/", type: "trash" },
    ],
    databases: [
      {
        id: 1,
        name: "Warehouse",
        engine: "postgres",
        details: { host: "db", port: 5432, dbname: "shop", user: "reader" },
      },
      { id: 2, name: "Events", engine: "mongo", details: { dbname: "events" } },
    ],
    tables: [
      createTable(10, "orders", [
        createField(10, 100, "id"),
        createField(10, 101, "status"),
        createField(10, 102, "amount"),
        createField(10, 103, "customer_id", { fk_target_field_id: 200 }),
        createField(10, 104, "ordered_at"),
        createField(10, 105, "card_number", { visibility_type: "sensitive" }),
      ]),
      createTable(20, "customers", [
        createField(20, 200, "id"),
        createField(20, 201, "country"),
        createField(20, 202, "profile"),
        createField(20, 203, "city", { parent_id: 202 }),
      ]),
    ],
    segments: [
      {
        id: 3,
        name: "Paid",
        table_id: 10,
        definition: { "source-table": 10, filter: ["=", ["field", 101, null], "paid"] },
      },
    ],
    snippets: [{ id: 2, name: "paid", content: "status = 'paid'", archived: false }],
    users: [ADA],
    cards: [
      createCard(
        12,
        "Revenue by day",
        sqlQuery(
          "select ordered_at::date, sum(amount) from marts.orders\nwhere {{snippet: paid}} and {{country}} [[and id > {{least}}]] group by 1",
          {
            "snippet: paid": { type: "snippet", name: "snippet: paid", "snippet-name": "paid", "snippet-id": 2 },
            country: { type: "dimension", name: "country", dimension: ["field", 201, null], "widget-type": "string/=" },
            least: { type: "number", name: "least" },
          },
        ),
        { description: "Paid orders only.", display: "line" },
      ),
      createCard(
        13,
        "Revenue by country",
        stagedQuery({
          "source-table": 10,
          aggregation: [["sum", { "lib/uuid": "a1" }, ["field", { "lib/uuid": "f1" }, 102]]],
          breakout: [["field", { "lib/uuid": "f2", "source-field": 103 }, 201]],
          filters: [["=", { "lib/uuid": "e1" }, ["field", { "lib/uuid": "f3" }, 101], "paid"]],
        }),
        { query_type: "query", collection_id: 5, display: "bar" },
      ),
      createCard(14, "Orders", legacyQuery({ "source-table": 10 }), { type: "model", query_type: "query" }),
      createCard(
        15,
        "Paid orders",
        stagedQuery({ "source-card": 14, filters: [["=", {}, ["field", {}, 101], "paid"]] }),
      ),
      createCard(16, "Revenue", legacyQuery({ "source-table": 10, aggregation: [["sum", ["field", 102, null]]] }), {
        type: "metric",
        collection_id: null,
      }),
      createCard(
        17,
        "Orders again",
        sqlQuery("select status from {{#14-orders}} o", {
          "#14-orders": { type: "card", name: "#14-orders", "card-id": 14 },
        }),
      ),
      createCard(18, "Grace's draft", sqlQuery("select 1"), { collection_id: 6 }),
      createCard(19, "Deleted", sqlQuery("select 1"), { archived: true }),
      createCard(20, "On the dashboard only", sqlQuery("select count(*) from marts.customers"), { dashboard_id: 8 }),
    ],
    dashboards: [
      {
        id: 8,
        name: "Sales overview",
        description: "For the Monday meeting.",
        archived: false,
        collection_id: 4,
        creator_id: 1,
        created_at: "2026-01-02T03:04:05.678Z",
        updated_at: "2026-05-06T07:08:09.123Z",
        "last-edit-info": { id: 1, email: "ada@example.com", timestamp: "2026-05-06T07:08:09.123Z" },
        parameters: [],
        tabs: [],
        dashcards: [
          {
            id: 1,
            card_id: 12,
            card: { id: 12, name: "Revenue by day" },
            series: [{ id: 13, name: "Revenue by country" }],
          },
          {
            id: 2,
            card_id: null,
            card: null,
            visualization_settings: { virtual_card: { display: "text" } },
            series: [],
          },
          { id: 3, card_id: 18, series: [] },
          { id: 4, card_id: 20, series: [] },
        ],
      },
    ],
  };
}
