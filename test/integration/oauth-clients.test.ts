/** OAuth clients get tokens with their default settings, and use them. */
import * as oauth4webapi from "oauth4webapi";
import * as openidClient from "openid-client";
import { ClientCredentials } from "simple-oauth2";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type RunningApp, startApp } from "../support/app.ts";
import { createOauthClient, type OauthClient } from "../support/oauth.ts";

let running: RunningApp;
let client: OauthClient;
beforeAll(async () => {
  running = await startApp();
  client = await createOauthClient(running.app, "engineer");
});
afterAll(() => running.close());

/** The statuses of a reading and a writing request with the token. */
async function use(token: string): Promise<number[]> {
  const headers = { authorization: `Bearer ${token}` };
  const read = await fetch(`${running.url}/api/v1/metrics`, { headers });
  const write = await fetch(`${running.url}/api/v1/connectors/none/sync`, { method: "POST", headers });
  return [read.status, write.status];
}

/** The answers of `use`. The connector does not exist, but the token may ask for it. */
const MAY_READ = [200, 403];
const MAY_WRITE = [200, 404];

const server = () => ({ issuer: running.url, token_endpoint: `${running.url}/oauth/token` });

function configure(authentication?: openidClient.ClientAuth): openidClient.Configuration {
  const config = new openidClient.Configuration(server(), client.clientId, client.clientSecret, authentication);
  openidClient.allowInsecureRequests(config);
  return config;
}

describe("openid-client", () => {
  test.each([
    ["its default", () => undefined],
    ["HTTP Basic", () => openidClient.ClientSecretBasic(client.clientSecret)],
    ["the form", () => openidClient.ClientSecretPost(client.clientSecret)],
  ])("openid-client gets a token by %s", async (_way, authentication) => {
    const config = configure(authentication());
    const tokens = await openidClient.clientCredentialsGrant(config, { scope: "read" });

    expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 3600 });
    expect(await use(tokens.access_token)).toEqual(MAY_READ);
  });

  test("openid-client gets all scopes of the role if it requests none", async () => {
    const { access_token: token } = await openidClient.clientCredentialsGrant(configure());
    expect(await use(token)).toEqual(MAY_WRITE);
  });

  test("openid-client understands the reason of a refusal", async () => {
    const refused = openidClient.clientCredentialsGrant(configure(), { scope: "admin" });
    await expect(refused).rejects.toMatchObject({ error: "invalid_scope", status: 400 });
  });

  test("openid-client can use its token", async () => {
    const config = configure();
    const { access_token: token } = await openidClient.clientCredentialsGrant(config);
    const url = new URL(`${running.url}/api/v1/metrics`);
    const response = await openidClient.fetchProtectedResource(config, token, url, "GET");
    expect(response.status).toBe(200);
  });
});

/** Requests a token by oauth4webapi, in its two steps. */
async function request(authentication: oauth4webapi.ClientAuth, scope: string) {
  const itself = { client_id: client.clientId };
  const response = await oauth4webapi.clientCredentialsGrantRequest(
    server(),
    itself,
    authentication,
    new URLSearchParams({ scope }),
    { [oauth4webapi.allowInsecureRequests]: true },
  );
  return oauth4webapi.processClientCredentialsResponse(server(), itself, response);
}

describe("oauth4webapi", () => {
  test.each([
    ["HTTP Basic, every _ encoded", () => oauth4webapi.ClientSecretBasic(client.clientSecret)],
    ["the form", () => oauth4webapi.ClientSecretPost(client.clientSecret)],
  ])("oauth4webapi gets a token by %s", async (_way, authentication) => {
    const { access_token: token, token_type: type } = await request(authentication(), "read write");
    expect(type).toBe("bearer");
    expect(await use(token)).toEqual(MAY_WRITE);
  });

  test("oauth4webapi learns by which method it can authenticate after a wrong secret", async () => {
    const refused = request(oauth4webapi.ClientSecretBasic("wrong"), "read");
    await expect(refused).rejects.toMatchObject({
      status: 401,
      cause: [{ scheme: "basic", parameters: { realm: "tributary" } }],
    });
  });

  test("oauth4webapi understands the reason of a refusal", async () => {
    const refused = request(oauth4webapi.ClientSecretPost(client.clientSecret), "read  write");
    await expect(refused).rejects.toMatchObject({ error: "invalid_scope", status: 400 });
  });
});

function createSimple(authorizationMethod: "header" | "body", secret = client.clientSecret): ClientCredentials {
  return new ClientCredentials({
    client: { id: client.clientId, secret },
    auth: { tokenHost: running.url },
    options: { authorizationMethod },
  });
}

describe("simple-oauth2", () => {
  test.each(["header", "body"] as const)("simple-oauth2 gets a token by its %s", async (method) => {
    const { token } = await createSimple(method).getToken({ scope: ["read", "write"] });
    expect(token).toMatchObject({ token_type: "Bearer", expires_in: 3600 });
    expect(await use(String(token["access_token"]))).toEqual(MAY_WRITE);
  });

  test("simple-oauth2 learns that the client is unknown", async () => {
    const refused = createSimple("body", "wrong").getToken({});
    await expect(refused).rejects.toMatchObject({ output: { statusCode: 401 } });
  });
});
