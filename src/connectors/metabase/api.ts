/** The requests to Metabase's API. */
import { z } from "zod";

import { type ApiClient, type ApiContext, createApiClient } from "../http/api-client.ts";
import type { MetabaseOptions } from "./options.ts";
import * as shapes from "./shapes.ts";

/** How many items of a collection one request asks for. */
const PAGE = 200;

export type MetabaseApi = Awaited<ReturnType<typeof openApi>>;

type Credentials = Pick<MetabaseOptions, "url" | "token" | "username" | "password">;

/** Opens a client without credentials: it can sign in, and read what everybody may. */
export function openAnonymous({ url }: Pick<MetabaseOptions, "url">, context: ApiContext): ApiClient {
  return createApiClient({ service: "Metabase", url, secrets: {}, ...context });
}

/** @throws ApiFailure if the user cannot sign in */
export async function openApi(options: Credentials, context: ApiContext) {
  const secrets = await signIn(options, context);
  const client = createApiClient({ service: "Metabase", url: options.url, secrets, ...context });
  return {
    [Symbol.dispose]: () => client[Symbol.dispose](),
    collections: () =>
      client.get("api/collection", { what: "the list of collections", shape: shapes.collectionsShape }),
    async *items(id: number | "root", name: string) {
      const what = `collection ${name}`;
      for (let offset = 0; ;) {
        // Since version 53, questions that belong to a dashboard are listed only if they are asked for.
        const params = { limit: String(PAGE), offset: String(offset), show_dashboard_questions: "true" };
        const page = await client.get(`api/collection/${id}/items`, { what, params, shape: shapes.itemsShape });
        yield* page.data;
        offset += page.data.length;
        if (page.data.length === 0 || offset >= (page.total ?? 0)) return;
      }
    },
    card: (id: number) => client.get(`api/card/${id}`, { what: `card ${id}`, shape: shapes.cardShape }),
    cardColumns: (id: number) => client.get(`api/card/${id}`, { what: `card ${id}`, shape: shapes.cardColumnsShape }),
    dashboard: (id: number) =>
      client.get(`api/dashboard/${id}`, { what: `dashboard ${id}`, shape: shapes.dashboardShape }),
    async databases() {
      const shape = z.union([shapes.databasesShape, shapes.databasesShape.shape.data]);
      const answer = await client.get("api/database", { what: "the list of databases", shape });
      return Array.isArray(answer) ? answer : answer.data;
    },
    table: (id: number) =>
      client.get(`api/table/${id}/query_metadata`, {
        what: `table ${id}`,
        params: { include_hidden_fields: "true", include_sensitive_fields: "true" },
        shape: shapes.tableShape,
      }),
    field: (id: number) => client.get(`api/field/${id}`, { what: `field ${id}`, shape: shapes.fieldShape }),
    segment: (id: number) => client.get(`api/segment/${id}`, { what: `segment ${id}`, shape: shapes.segmentShape }),
    snippets: () => client.get("api/native-query-snippet", { what: "the snippets", shape: shapes.snippetsShape }),
    user: (id: number) => client.get(`api/user/${id}`, { what: `user ${id}`, shape: shapes.userShape }),
    currentUser: () => client.get("api/user/current", { what: "the own user", shape: shapes.currentUserShape }),
  };
}

/** @returns the headers that show who asks */
async function signIn(options: Credentials, context: ApiContext): Promise<Record<string, string>> {
  const { token, username, password } = options;
  if (token !== undefined) return { "x-api-key": token };
  using client = openAnonymous(options, context);
  const request = { what: "the session", shape: shapes.sessionShape };
  const { id } = await client.post("api/session", { username, password }, request);
  return { "x-metabase-session": id };
}
