/** Rules over all servers at once: the rate limit of a key, and the refusal of a revoked key. */
import { createClient, type Client } from "./client.ts";
import type { Member } from "./cluster.ts";

const LIMIT = 40;
const BEYOND = 25;
/** A lockout begins with 20 refused tokens in a row. */
const ASKS_PER_SERVER = 4;

const CREATE = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { token apiKey { id } } }`;
const REVOKE = `mutation ($input: RevokeApiKeyInput!) { revokeApiKey(input: $input) { apiKey { id } } }`;
const SET_LIMIT = `mutation ($input: SetRateLimitInput!) { setRateLimit(input: $input) { securitySettings { rateLimitPerMinute } } }`;

const PATH = "/api/v1/metrics?limit=1";

/** @throws Error if the answer is not an admin's */
export async function makeKey(admin: Client): Promise<{ id: string; token: string }> {
  for (;;) {
    const { outcome, body, fault } = await admin.query(CREATE, {
      input: { name: "bench", scopes: ["read", "write", "admin"] },
    });
    if (outcome === "ok") return { id: body.createApiKey.apiKey.id, token: body.createApiKey.token };
    // A server was killed, or a store is away: the next attempt goes elsewhere.
    if (outcome !== "cut" && outcome !== "unavailable") throw new Error(`no key: ${outcome} ${fault ?? ""}`);
  }
}

export async function setLimit(admin: Client, perMinute: number): Promise<void> {
  const { outcome, fault } = await admin.query(SET_LIMIT, { input: { perMinute } });
  if (outcome !== "ok") throw new Error(`the limit could not be set: ${outcome} ${fault ?? ""}`);
}

/** Creates a key on one server and revokes it on another. From then on, all servers must refuse it. */
export async function revokeSomewhere(
  admin: Client,
  servers: readonly Member[],
): Promise<{ asked: number; admitted: string[] }> {
  const { id, token } = await makeKey(admin);
  const up = servers.filter(({ isUp }) => isUp);
  const clients = up.map((server) => ({ server, client: createClient({ key: token, choose: () => server }) }));
  await Promise.all(clients.map(({ client }) => client.get(PATH)));
  if ((await admin.query(REVOKE, { input: { id } })).outcome !== "ok") return { asked: 0, admitted: [] };
  const asks = clients.flatMap((each) => Array.from({ length: ASKS_PER_SERVER }, () => each));
  const answers = await Promise.all(
    asks.map(async ({ server, client }) => ({ server, outcome: (await client.get(PATH)).outcome })),
  );
  const admitted = answers
    .filter(({ outcome }) => outcome === "ok")
    .map(({ server }) => `${server.name} admitted ${id}`);
  return { asked: answers.filter(({ outcome }) => outcome === "denied").length, admitted };
}

export interface Exceeded {
  limit: number;
  sent: number;
  admitted: number;
  limited: number;
  other: number;
}

/**
 * Sends more requests with each of some new keys than one key may make, over all servers at once. The limit stays low.
 */
export async function exceedLimit(admin: Client, servers: readonly Member[], keys: number): Promise<Exceeded[]> {
  const tokens = await Promise.all(Array.from({ length: keys }, async () => (await makeKey(admin)).token));
  await setLimit(admin, LIMIT);
  const rounds: Exceeded[] = [];
  for (const token of tokens) {
    const clients = servers.map((server) => createClient({ key: token, choose: () => server }));
    const sent = LIMIT + BEYOND;
    const answers = await Promise.all(Array.from({ length: sent }, (_, i) => clients[i % clients.length]?.get(PATH)));
    const count = (outcome: string): number => answers.filter((answer) => answer?.outcome === outcome).length;
    const [admitted, limited] = [count("ok"), count("limited")];
    rounds.push({ limit: LIMIT, sent, admitted, limited, other: sent - admitted - limited });
  }
  return rounds;
}
