import { afterAll, beforeAll, describe, expect, it, test } from "vitest";

import { createApiKey } from "../../../src/auth/api-keys.ts";
import { fromCommandLine } from "../../../src/auth/origin.ts";
import { createServiceAccount } from "../../../src/auth/service-accounts.ts";
import { createUser, grantPermission } from "../../../src/auth/users.ts";
import type { Role, Scope } from "../../../src/metadata/records.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { createGraphqlClient, type GraphqlClient } from "../../support/graphql-client.ts";
import { adminOf, authPartsOf } from "../../support/oauth.ts";
import { at, createRestClient } from "../../support/rest-client.ts";
import { type SmallCatalog, writeSmallCatalog } from "../../support/small-catalog.ts";

const CERTIFY = `mutation ($id: ID!, $note: String! = "") {
  certifyMetric(input: { id: $id, note: $note }) {
    metric { certification certifiedBy certifiedAt audit { action actor note } }
  }
}`;
const WITHDRAW = `mutation ($id: ID!, $note: String! = "") {
  withdrawCertification(input: { id: $id, note: $note }) {
    metric { certification certifiedBy certifiedAt audit { action actor note } }
  }
}`;
const AUDIT = `query ($id: ID!, $first: Int, $after: Int) {
  metric(id: $id) { audit(first: $first, after: $after) { place action } }
}`;

let running: RunningApp;
let admin: GraphqlClient;
let catalog: SmallCatalog;
beforeAll(async () => {
  running = await startApp();
  admin = createGraphqlClient(running);
  catalog = await writeSmallCatalog(running);
});
afterAll(() => running.close());

/** The client of a person, with a token of these scopes. */
async function enterAs(email: string, role: Role, scopes: readonly Scope[], granted: boolean): Promise<GraphqlClient> {
  const parts = authPartsOf(running.app);
  const by = await adminOf(running.app);
  const user = await createUser(parts, by, { email, role });
  if (granted) await grantPermission(parts, by, { id: user.id, permission: "metrics:certify" });
  const request = { name: "key", scopes, expiresInDays: null, kind: "live" } as const;
  const { token } = await createApiKey(parts, fromCommandLine(by.workspace, user), request);
  return createGraphqlClient({ url: running.url, token });
}

describe("certification", () => {
  it("A certification is shown everywhere at once, with its trail", async () => {
    const id = catalog.pending;
    const { data } = await admin(CERTIFY, { id, note: "As agreed." });
    const actor = "admin@localhost.localdomain";
    expect(data).toEqual({
      certifyMetric: {
        metric: {
          certification: "certified",
          certifiedBy: actor,
          certifiedAt: expect.stringMatching(/Z$/),
          audit: [{ action: "certify", actor, note: "As agreed." }],
        },
      },
    });
    const rest = createRestClient(running);
    const { body } = await rest(`/api/v1/metrics/${id}`);
    expect(body).toMatchObject({ certification: "certified", certified_by: actor });
    expect(at(body, "audit")).toEqual([
      {
        action: "certify",
        from: "pending",
        to: "certified",
        actor,
        at: at(body, "certified_at"),
        note: "As agreed.",
        definition_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    expect((await admin(CERTIFY, { id })).codes).toEqual(["CONFLICT"]);
    expect((await admin(WITHDRAW, { id, note: "Not yet." })).data).toMatchObject({
      withdrawCertification: {
        metric: {
          certification: "pending",
          certifiedBy: null,
          certifiedAt: null,
          audit: [{ action: "certify" }, { action: "withdraw", actor, note: "Not yet." }],
        },
      },
    });
    expect((await admin(WITHDRAW, { id })).codes).toEqual(["CONFLICT"]);
  });

  it("A certification of an asset that is no metric, of an unknown metric, or with bad input is refused", async () => {
    for (const id of [catalog.model, "unknown"]) {
      expect((await admin(CERTIFY, { id })).codes).toEqual(["NOT_FOUND"]);
      expect((await admin(WITHDRAW, { id })).codes).toEqual(["NOT_FOUND"]);
    }
    expect((await admin(CERTIFY, { id: catalog.pending, note: "a\nb" })).codes).toEqual(["BAD_REQUEST"]);
  });

  test.each<[who: string, role: Role, scopes: Scope[], granted: boolean, codes: string[]]>([
    ["an engineer who was granted it", "engineer", ["write"], true, []],
    ["an engineer who was not", "engineer", ["read", "write"], false, ["FORBIDDEN"]],
    ["an analyst who was granted it", "analyst", ["read"], true, ["FORBIDDEN"]],
    ["an admin", "admin", ["write"], false, []],
    ["an admin by a token that may not write", "admin", ["read", "admin"], false, ["FORBIDDEN"]],
  ])("The right to certify follows role, scope and grant: %s", async (who, role, scopes, granted, codes) => {
    const client = await enterAs(`${who.replaceAll(" ", ".")}@example.com`, role, scopes, granted);
    expect((await client(CERTIFY, { id: catalog.pending })).codes).toEqual(codes);
    expect((await client(WITHDRAW, { id: catalog.pending })).codes).toEqual(codes);
  });

  it("A service account cannot certify, whatever its role", async () => {
    const by = await adminOf(running.app);
    const parts = authPartsOf(running.app);
    const { account } = await createServiceAccount(parts, by, { name: "robot", role: "admin" });
    const request = { name: "key", scopes: ["read", "write", "admin"], expiresInDays: null, kind: "live" } as const;
    const origin = { ...by, actor: { kind: "account", id: account.id, name: "robot" } } as const;
    const { token } = await createApiKey(parts, origin, request);
    const robot = createGraphqlClient({ url: running.url, token });
    expect((await robot(CERTIFY, { id: catalog.pending })).codes).toEqual(["FORBIDDEN"]);
    expect((await robot(WITHDRAW, { id: catalog.certified })).codes).toEqual(["FORBIDDEN"]);
  });
});

describe("the trail", () => {
  it("A trail can be requested in pages", async () => {
    const id = catalog.certified;
    await admin(WITHDRAW, { id });
    await admin(CERTIFY, { id });
    const pageOf = async (variables: object) => at((await admin(AUDIT, { id, ...variables })).data, "metric", "audit");
    const all = [
      { place: 1, action: "state" },
      { place: 2, action: "withdraw" },
      { place: 3, action: "certify" },
    ];
    expect(await pageOf({})).toEqual(all);
    expect(await pageOf({ first: 2 })).toEqual(all.slice(0, 2));
    expect(await pageOf({ first: 2, after: 2 })).toEqual(all.slice(2));
    expect(await pageOf({ after: 3 })).toEqual([]);
    for (const bad of [{ first: 0 }, { first: 201 }, { after: -1 }]) {
      expect((await admin(AUDIT, { id, ...bad })).codes).toEqual(["BAD_REQUEST"]);
    }
  });
});
