import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { rotateClientSecret, setAccountDisabled } from "../../../src/auth/service-accounts.ts";
import { setAllowlist } from "../../../src/auth/security-settings.ts";
import { type AnswerChecker, createAnswerChecker } from "../../support/answer-schema.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { adminOf, authPartsOf, basic, createOauthClient, type OauthClient, postForm } from "../../support/oauth.ts";
import { keysOf } from "../../support/rest-client.ts";

let running: RunningApp;
let client: OauthClient;
let checker: AnswerChecker;
beforeAll(async () => {
  running = await startApp();
  client = await createOauthClient(running.app, "engineer");
  checker = createAnswerChecker(JSON.parse(await (await fetch(`${running.url}/openapi.json`)).text()));
});
afterAll(() => running.close());

const GRANT = { grant_type: "client_credentials" };
const inForm = ({ clientId, clientSecret }: OauthClient) => ({ client_id: clientId, client_secret: clientSecret });
const post = (form: string | Record<string, string>, headers?: Record<string, string>) =>
  postForm(running.url, form, headers);
/** A request that gets a token, unless a part of it is changed. */
const ask = (change: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  post({ ...GRANT, ...inForm(client), ...change }, headers);

describe("A token", () => {
  test("A token is answered with its type and its lifetime, and nothing else", async () => {
    const { status, headers, body } = await ask();

    expect([status, keysOf(body)]).toEqual([200, ["access_token", "token_type", "expires_in"]]);
    expect(body).toMatchObject({ token_type: "Bearer", expires_in: 3600 });
    expect(body["access_token"]).toMatch(/^svc_at_[A-Za-z0-9]{32}$/);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect([headers.get("cache-control"), headers.get("pragma")]).toEqual(["no-store", "no-cache"]);
    expect(checker.faultsOf("/oauth/token", "POST", 200, body)).toEqual([]);
  });

  test.each([
    ["a charset", "application/x-www-form-urlencoded; charset=UTF-8"],
    ["letters of any case", "Application/X-WWW-Form-Urlencoded"],
  ])("A token is given to a form whose type has %s", async (_what, type) => {
    expect((await ask({}, { "content-type": type })).status).toBe(200);
  });

  test.each([
    ["an unknown parameter", { audience: "somewhere" }],
    ["a scope without a value", { scope: "" }],
    ["a scope named twice", { scope: "read read" }],
  ])("A token is given to a form with %s", async (_what, change) => {
    expect((await ask(change as Record<string, string>)).status).toBe(200);
  });

  test("A client that uses HTTP Basic may repeat its id in the form", async () => {
    const authorization = basic(client);
    for (const form of [GRANT, { ...GRANT, client_id: client.clientId }, { ...GRANT, client_secret: "" }]) {
      expect((await post(form as Record<string, string>, { authorization })).status).toBe(200);
    }
  });

  test("A client gets a token with either of its two secrets", async () => {
    const rotating = await createOauthClient(running.app, "analyst", "rotating");
    const origin = await adminOf(running.app);
    const { clientSecret } = await rotateClientSecret(authPartsOf(running.app), origin, rotating.accountId);
    for (const it of [rotating, { ...rotating, clientSecret }]) {
      expect((await post({ ...GRANT, ...inForm(it) })).status).toBe(200);
    }
  });
});

/** Everything that an error must contain, beside its status and code. */
function seenIn({ status, headers, body }: Awaited<ReturnType<typeof post>>) {
  const description = String(body["error_description"]);
  return {
    status,
    error: body["error"],
    isDescribed: /^[ !#-[\]-~]+$/.test(description) && body["message"] === description,
    caching: [headers.get("cache-control"), headers.get("pragma")],
    challenge: headers.get("www-authenticate"),
    faults: checker.faultsOf("/oauth/token", "POST", status, body),
  };
}

function refusal(status: number, error: string): ReturnType<typeof seenIn> {
  return {
    status,
    error,
    isDescribed: true,
    caching: ["no-store", "no-cache"],
    challenge: status === 401 ? 'Basic realm="tributary"' : null,
    faults: [],
  };
}

const valid = () => new URLSearchParams({ ...GRANT, ...inForm(client) }).toString();

describe("Refused token requests", () => {
  test.each([
    ["no grant type", () => post(inForm(client)), "invalid_request"],
    ["a grant type without a value", () => ask({ grant_type: "" }), "invalid_request"],
    ["another grant type", () => ask({ grant_type: "password" }), "unsupported_grant_type"],
    ["a repeated parameter", () => post(`${valid()}&client_id=x`), "invalid_request"],
    ["a repeated unknown parameter", () => post(`${valid()}&x=1&x=2`), "invalid_request"],
    ["too many parameters", () => post(`${valid()}${"&x".repeat(100_000)}`), "invalid_request"],
    ["bytes that are no UTF-8", () => post(`${valid()}&x=%ff`), "invalid_request"],
    ["a percent sign by itself", () => post(`${valid()}&x=%`), "invalid_request"],
    ["no body", () => post(""), "invalid_request"],
    ["JSON", () => ask({}, { "content-type": "application/json" }), "invalid_request"],
    [
      "another charset",
      () => ask({}, { "content-type": "application/x-www-form-urlencoded; charset=latin1" }),
      "invalid_request",
    ],
    ["a compression", () => ask({}, { "content-encoding": "gzip" }), "invalid_request"],
    ["its client in two ways", () => ask({}, { authorization: basic(client) }), "invalid_request"],
    [
      "two clients",
      () => post({ ...GRANT, client_id: "cli_other" }, { authorization: basic(client) }),
      "invalid_request",
    ],
    ["parameters in its URL", () => postForm(running.url, valid(), {}, "?scope=read"), "invalid_request"],
    ["a scope beyond the role", () => ask({ scope: "read admin" }), "invalid_scope"],
    ["an unknown scope", () => ask({ scope: "everything" }), "invalid_scope"],
    ["a scope in another case", () => ask({ scope: "READ" }), "invalid_scope"],
    ["two spaces in the scope", () => ask({ scope: "read  write" }), "invalid_scope"],
    ["a tab in the scope", () => ask({ scope: "read\twrite" }), "invalid_scope"],
    ["a comma in the scope", () => ask({ scope: "read,write" }), "invalid_scope"],
  ])("A token request with %s is refused", async (_what, send, error) => {
    expect(seenIn(await send())).toEqual(refusal(400, error));
  });

  test.each([
    ["an unknown client", () => ask({ client_id: `cli_${"x".repeat(24)}` })],
    ["a wrong secret", () => ask({ client_secret: `svc_cs_${"x".repeat(40)}` })],
    ["no client", () => post(GRANT)],
    ["no secret", () => post({ ...GRANT, client_id: client.clientId })],
    ["a secret without a value", () => ask({ client_secret: "" })],
    ["a wrong secret by HTTP Basic", () => post(GRANT, { authorization: basic({ ...client, clientSecret: "x" }) })],
    ["a bearer token", () => post(GRANT, { authorization: `Bearer ${running.token}` })],
    ["Basic that is no base64", () => post(GRANT, { authorization: "Basic ###" })],
    ["text that no store could hold", () => ask({ client_id: "\0", client_secret: "\u{10ffff}" })],
  ])("A token request for %s is refused", async (_what, send) => {
    expect(seenIn(await send())).toEqual(refusal(401, "invalid_client"));
  });

  test("A disabled client gets the same refusal as an unknown one", async () => {
    const disabled = await createOauthClient(running.app, "analyst", "disabled");
    await setAccountDisabled(authPartsOf(running.app), await adminOf(running.app), {
      id: disabled.accountId,
      disabled: true,
    });
    const answer = await post({ ...GRANT, ...inForm(disabled) });
    expect(seenIn(answer)).toEqual(refusal(401, "invalid_client"));
    expect(answer.body).toEqual((await ask({ client_id: "cli_unknown" })).body);
  });

  test("A token request with a body of more than 1 MiB is refused", async () => {
    expect(seenIn(await ask({ x: "x".repeat(1024 * 1024) }))).toEqual(refusal(413, "payload_too_large"));
  });

  test.each(["GET", "PUT", "DELETE", "OPTIONS"])("A token request by %s is refused", async (method) => {
    const response = await fetch(`${running.url}/oauth/token`, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await response.json()).toMatchObject({ error: "method_not_allowed", error_description: expect.any(String) });
  });

  test("A token request from an address outside the allowlist is refused", async () => {
    const origin = await adminOf(running.app);
    await setAllowlist(authPartsOf(running.app), origin, ["192.0.2.0/24"]);
    try {
      expect(seenIn(await ask())).toEqual(refusal(403, "forbidden"));
    } finally {
      await setAllowlist(authPartsOf(running.app), origin, []);
    }
  });
});
