import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { setAllowlist, setRateLimit } from "../../../src/auth/security-settings.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { createTestClock, MINUTE_MS, SECOND_MS } from "../../support/clock.ts";
import { adminOf, authPartsOf, createOauthClient, type OauthClient, postForm } from "../../support/oauth.ts";
import { createRestClient, type RestClient } from "../../support/rest-client.ts";

const LIMIT = 5;
const PATH = "/api/v1/metrics";

const clock = createTestClock();
let running: RunningApp;
let ask: RestClient;
beforeAll(async () => {
  running = await startApp({ overrides: { clock } });
});
afterAll(() => running.close());
beforeEach(async () => {
  await setLimit(LIMIT);
  ask = await newClient();
});

async function setLimit(perMinute: number): Promise<void> {
  await setRateLimit(authPartsOf(running.app), await adminOf(running.app), perMinute);
}

/** A client with a key of its own. */
async function newClient(): Promise<RestClient> {
  return createRestClient({ url: running.url, token: await running.createToken(["read"]) });
}

type Answer = Awaited<ReturnType<RestClient>>;

function quotaOf({ headers }: Pick<Answer, "headers">): (string | null)[] {
  return ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`));
}

function askGraphql(query: string, more: Record<string, unknown> = {}, client = ask): Promise<Answer> {
  return client("/graphql", { method: "POST", body: JSON.stringify({ query, ...more }) });
}

function requestToken({ clientId, clientSecret }: OauthClient) {
  return postForm(running.url, {
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret,
  });
}

/** The units that are left after one more request, which itself takes one. */
async function remaining(client = ask): Promise<number> {
  return Number(quotaOf(await client(PATH))[1]);
}

const epochSeconds = (ms = 0): string => String(Math.ceil((clock.now().getTime() + ms) / SECOND_MS));

describe("Quota headers", () => {
  test("The reset header of a quota follows the oldest counted request", async () => {
    const reset = epochSeconds(MINUTE_MS);
    expect(quotaOf(await ask(PATH))).toEqual(["5", "4", reset]);
    clock.advance(20 * SECOND_MS);
    expect(quotaOf(await ask(PATH))).toEqual(["5", "3", reset]);
    clock.advance(40 * SECOND_MS);
    expect(quotaOf(await ask(PATH))).toEqual(["5", "3", epochSeconds(20 * SECOND_MS)]);
  });

  test.each<[string, number, () => Promise<Answer>]>([
    ["an answer", 200, () => ask(PATH)],
    ["HEAD", 200, () => ask(PATH, { method: "HEAD" })],
    ["a fault of the input", 400, () => ask(`${PATH}?limit=0`)],
    ["a path that cannot be decoded", 400, () => ask("/api/v1/metrics/%ff")],
    ["a missing scope", 403, () => ask("/api/v1/connectors/none/sync", { method: "POST" })],
    ["an unknown id", 404, () => ask(`${PATH}/none`)],
    ["an unknown path", 404, () => ask("/api/v1/nonsense")],
    ["another method", 405, () => ask(PATH, { method: "DELETE" })],
    ["GraphQL", 200, () => askGraphql("{ metrics { nodes { name } } }")],
    ["a malformed document", 200, () => askGraphql("{")],
    ["another method at GraphQL", 405, () => ask("/graphql", { method: "PUT", body: "{}" })],
    ["a GraphQL body that is no JSON", 400, () => ask("/graphql", { method: "POST", body: "{" })],
    [
      "a GraphQL body of another type",
      415,
      () => ask("/graphql", { method: "POST", body: "{}", headers: { "content-type": "text/plain" } }),
    ],
    ["no GraphQL body", 400, () => ask("/graphql", { method: "POST" })],
  ])("The quota headers are in %s (%i), which counts as one request", async (_what, status, send) => {
    const answer = await send();
    expect([answer.status, quotaOf(answer)]).toEqual([status, ["5", "4", epochSeconds(MINUTE_MS)]]);
    expect(await remaining()).toBe(3);
  });

  test("A 401, and an answer that needs no token, have no quota headers", async () => {
    expect(quotaOf(await ask(PATH, { authorization: "Bearer svc_live_nobody" }))).toEqual([null, null, null]);
    for (const path of [
      "/health",
      "/api/v1/health",
      "/health/live",
      "/docs",
      "/openapi.json",
      "/graphql",
      "/nothing",
    ]) {
      expect(quotaOf(await ask(path))).toEqual([null, null, null]);
    }
    expect(await remaining()).toBe(4);
  });

  test("A request from an address outside the allowlist has quota headers, and is not counted", async () => {
    const parts = authPartsOf(running.app);
    await setAllowlist(parts, await adminOf(running.app), ["192.0.2.0/24"]);
    const answer = await ask(PATH);
    await setAllowlist(parts, await adminOf(running.app), []);
    expect([answer.status, quotaOf(answer)]).toEqual([403, ["5", "5", epochSeconds()]]);
    expect(answer.body).toMatchObject({ error: "forbidden" });
    expect(await remaining()).toBe(4);
  });
});

describe("Requests beyond the limit", () => {
  test("Requests beyond the limit are refused until older ones expire, and refused ones do not count", async () => {
    for (let second = 0; second < LIMIT; second++) {
      expect((await ask(PATH)).status).toBe(200);
      clock.advance(SECOND_MS);
    }
    for (const path of [PATH, "/api/v1/nonsense", PATH]) {
      const refused = await ask(path);
      expect([refused.status, refused.headers.get("retry-after"), quotaOf(refused)[1]]).toEqual([429, "55", "0"]);
      expect(refused.body).toEqual({ error: "rate_limited", message: expect.any(String) });
    }
    clock.advance(54 * SECOND_MS);
    expect((await ask(PATH)).headers.get("retry-after")).toBe("1");
    clock.advance(SECOND_MS);
    expect((await ask(PATH)).status).toBe(200);
    expect((await ask(PATH)).status).toBe(429);
    clock.advance(MINUTE_MS);
    expect(await remaining()).toBe(LIMIT - 1);
  });

  test("A lower limit that an admin sets applies at once", async () => {
    await ask(PATH);
    await ask(PATH);
    await setLimit(2);
    const refused = await ask(PATH);
    expect([refused.status, ...quotaOf(refused).slice(0, 2)]).toEqual([429, "2", "0"]);
    await setLimit(3);
    expect((await ask(PATH)).status).toBe(200);
  });

  test("Other keys are not limited by one key, even keys of the same creator", async () => {
    const other = await newClient();
    for (let count = 0; count < LIMIT; count++) await ask(PATH);
    expect((await ask(PATH)).status).toBe(429);
    expect(await remaining(other)).toBe(LIMIT - 1);
  });

  test("All tokens of one OAuth client share a limit, and tokens of another do not", async () => {
    const [one, other] = [
      await createOauthClient(running.app, "analyst", "one"),
      await createOauthClient(running.app, "analyst", "other"),
    ];
    const getToken = async (client: typeof one): Promise<string> =>
      String((await requestToken(client)).body["access_token"]);
    const [first, second, third] = [await getToken(one), await getToken(one), await getToken(other)].map((token) =>
      createRestClient({ url: running.url, token }),
    );
    // The requests for tokens count, too.
    expect(await remaining(first)).toBe(2);
    expect(await remaining(second)).toBe(1);
    expect(await remaining(first)).toBe(0);
    expect(await remaining(third)).toBe(3);
  });

  test("A client that asks for too many tokens is refused, and nothing is written about the refused ones", async () => {
    const client = await createOauthClient(running.app, "analyst", "greedy");
    for (let count = 0; count < LIMIT; count++) expect((await requestToken(client)).status).toBe(200);
    const refused = await requestToken(client);
    expect([refused.status, refused.headers.get("retry-after"), quotaOf(refused)[1]]).toEqual([429, "60", "0"]);
    expect(refused.body).toMatchObject({ error: "rate_limited", error_description: expect.any(String) });
    const { workspace } = await adminOf(running.app);
    expect(await running.app.metadata.accessTokens.listLive(workspace.id, client.accountId)).toHaveLength(LIMIT);
    // A client without the secret learns nothing about the limit, and takes no unit.
    expect((await requestToken({ ...client, clientSecret: "wrong" })).status).toBe(401);
    clock.advance(MINUTE_MS);
    expect(quotaOf(await requestToken(client))[1]).toBe("4");
  });

  test("No more requests than the limit pass, however many come at the same time", async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(PATH)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(40 - LIMIT);
  });
});

describe("GraphQL", () => {
  test("A GraphQL request counts one for each response key at the root", async () => {
    const query =
      "query ($no: Boolean = true) { a: __typename ...F c: __typename @skip(if: $no) } fragment F on Query { b: __typename a: __typename }";
    expect(quotaOf(await askGraphql(query))[1]).toBe("3");
    expect(quotaOf(await askGraphql(query, { variables: { no: false } }))[1]).toBe("0");
  });

  test("A GraphQL request that exceeds the rest of the quota is refused as a whole, in the one error body", async () => {
    await askGraphql("{ a: __typename b: __typename c: __typename }");
    clock.advance(10 * SECOND_MS);
    const refused = await askGraphql("{ a: __typename b: __typename c: __typename }");
    expect([refused.status, refused.headers.get("retry-after"), quotaOf(refused)[1]]).toEqual([429, "50", "2"]);
    expect(refused.body).toEqual({ error: "rate_limited", message: expect.any(String) });
    expect(quotaOf(await askGraphql("{ a: __typename b: __typename }"))[1]).toBe("0");
  });

  test("A GraphQL request that exceeds the whole quota is a bad request, and counts nothing", async () => {
    const refused = await askGraphql(
      "{ a: __typename b: __typename c: __typename d: __typename e: __typename f: __typename }",
    );
    expect([refused.status, ...quotaOf(refused).slice(0, 2)]).toEqual([400, "5", "5"]);
    expect(refused.body).toMatchObject({ error: "bad_request" });
    expect(await remaining()).toBe(4);
  });

  test("A GraphQL request with an empty operation name counts all its root fields", async () => {
    const query = "query Q { a: __typename b: __typename c: __typename }";
    expect(quotaOf(await askGraphql(query, { operationName: "" }))[1]).toBe("2");
  });
});
