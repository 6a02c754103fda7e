/** The impact of a pull request over REST, with the manifest as the body. */
import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { gzipSync } from "node:zlib";

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";

import { type AnswerChecker, createAnswerChecker } from "../../support/answer-schema.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { runCommandHere } from "../../support/command-line.ts";
import { atDepth, isFull } from "../../support/depth.ts";
import { dropAmount, editShop, model, rewrite, type ShopManifest, writeShop } from "../../support/edited-shop.ts";
import { present } from "../../support/present.ts";
import { at, createRestClient, type RestClient } from "../../support/rest-client.ts";

const PATH = "/api/v1/lineage/impact/manifest";
const MIB = 1024 ** 2;

let running: RunningApp;
let ask: RestClient;
let checker: AnswerChecker;
beforeAll(async () => {
  running = await startApp({ sample: true });
  ask = createRestClient(running);
  checker = createAnswerChecker(JSON.parse(await (await fetch(`${running.url}/openapi.json`)).text()));
});
afterAll(() => running.close());
afterEach(() => {
  vi.unstubAllEnvs();
});

const post = (body: string | Uint8Array<ArrayBuffer>, query = "", headers: Record<string, string> = {}) =>
  ask(`${PATH}${query}`, { method: "POST", body, headers });

/** A request without a length, whose body the test writes. */
function sendByHand(token = running.token): { sent: ClientRequest; answered: Promise<IncomingMessage> } {
  const { promise: answered, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request(`${running.url}${PATH}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", expect: "100-continue" },
  });
  sent.on("error", reject);
  sent.on("response", (answer) => resolve(answer.resume()));
  answered.catch(() => {});
  sent.flushHeaders();
  return { sent, answered };
}

const changed = editShop(dropAmount);

const rename = (manifest: ShopManifest): void =>
  rewrite(model(manifest, "stg_shopify__orders"), ["total_price as order_total", "total_price as order_amount"]);
const markdownOf = async (edit: (manifest: ShopManifest) => void): Promise<string> =>
  String((await post(editShop(edit), "?fail_on=high", { accept: "text/markdown" })).body);

describe("posted manifests", () => {
  test("A renamed column names the models that still read it; once they follow, it says who certifies again", async () => {
    const broken = await markdownOf(rename);
    expect(broken).toMatch(/^### ❌ Fails: 2 models cannot be built and 28 assets and metrics are at high risk\n/);
    expect(broken).toContain(
      "- **Do first:** `int_orders_in_eur` and `int_refunds_in_eur` still read `order_total`: change it to `order_amount`. Until then, dbt would skip 18 models that are built from them and 24 checks",
    );
    const followed = await markdownOf((manifest) => {
      rename(manifest);
      for (const name of ["int_orders_in_eur", "int_refunds_in_eur"]) {
        rewrite(model(manifest, name), ["order_total", "order_amount"]);
      }
    });
    expect(followed).toMatch(
      /^### ✅ Passes: nothing is at high risk, but 8 certifications would lapse, to be certified again after the merge/,
    );
    expect(followed).toContain(
      "31 assets and metrics with 30 columns adapted in this change set; the new type of 1 column is not known.",
    );
    expect(followed).toContain(
      "to be certified again after the merge:** `jonas.weber@example.com`, certified by `aylin.kaya@example.com`: `attributed_revenue`; ",
    );
    expect(followed).not.toContain("Do first");
  });

  test("A posted manifest gets the same answer as on the command line", async () => {
    const { status, body, headers } = await post(changed, "?fail_on=high");
    expect([status, headers.get("tributary-impact")]).toEqual([200, "fail"]);
    expect(at(body, "failed")).toBe(true);
    // Those of models that dbt skips are never run.
    expect(at(body, "checks")).toMatchObject({ total: 0, skipped: { models: 15, checks: 22 } });
    expect(checker.faultsOf(PATH, "POST", status, body)).toEqual([]);
    expect(headers.get("x-ratelimit-remaining")).not.toBeNull();

    const path = writeShop(running.app.settings.dataDir, "changed", dropAmount);
    const { stdout } = await runCommandHere(
      ["impact", "--manifest", path, "--against", "shop", "--format", "json", "--fail-on", "high"],
      { DATA_DIR: running.app.settings.dataDir, PORT: "0" },
    );
    expect(body).toEqual(JSON.parse(stdout));
  });

  test("A manifest may be gzipped, and the connector can be given by name or id", async () => {
    const { metadata } = running.app;
    const { id } = present(await metadata.workspaces.findByName("default"));
    const connector = present(await metadata.connectors.findByName(id, "shop"));
    const packed = new Uint8Array(gzipSync(changed));
    for (const query of ["?connector=shop", `?connector=${connector.id}`]) {
      const { status, body, headers } = await post(packed, query, { "content-encoding": "gzip" });
      expect([status, at(body, "summary", "high_risk_count")]).toEqual([200, expect.any(Number)]);
      expect(headers.get("tributary-impact")).toBe("pass");
    }
  });

  test("A posted manifest is answered in Markdown if the client accepts that, and else in JSON", async () => {
    const { status, body, headers } = await post(changed, "?fail_on=low", { accept: "text/markdown" });
    expect([status, headers.get("content-type")]).toEqual([200, "text/markdown; charset=utf-8"]);
    expect(headers.get("tributary-impact")).toBe("fail");
    expect(body).toMatch(
      /^### ❌ Fails: \d models? cannot be built, \d+ .*\n\n`shop`: 1 change affects \d+ assets and metrics \(/,
    );
    for (const accept of atDepth(["*/*"], ["*/*", "application/json", "text/html"])) {
      const answer = await post(editShop(), "?fail_on=low", { accept });
      expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(answer.headers.get("tributary-impact")).toBe("pass");
    }
  });

  test("A posted manifest never fails with fail_on=none", async () => {
    const { headers } = await post(changed, "?fail_on=none");
    expect(headers.get("tributary-impact")).toBe("pass");
  });

  test.each([
    ["no JSON", "{", 400, "bad_request", /^manifest: manifest\.json is not complete JSON/],
    ["no manifest", '{"nodes":{}}', 400, "bad_request", /^manifest: manifest\.json is not a dbt manifest/],
    ["no UTF-8", new Uint8Array([0x7b, 0xff]), 400, "bad_request", /^manifest: /],
    [
      "another project's",
      editShop((m) => Object.assign(m, { nodes: {}, sources: {} })),
      400,
      "bad_request",
      /another project/,
    ],
  ])("A body that is %s is refused as a manifest", async (_what, body, status, code, message) => {
    const answer = await post(body);
    expect([answer.status, at(answer.body, "error")]).toEqual([status, code]);
    expect(at(answer.body, "message")).toMatch(message);
    expect(checker.faultsOf(PATH, "POST", status, answer.body)).toEqual([]);
  });

  test("A manifest without compiled models is refused, because nothing in it can be compared", async () => {
    const parsed = editShop(({ nodes }) => {
      for (const node of Object.values(nodes)) node.compiled_code = null;
    });
    const { status, body } = await post(parsed);
    expect([status, at(body, "message")]).toEqual([400, expect.stringMatching(/contains no compiled SQL/)]);
  });

  test("A manifest request without a body, or with broken gzip, is refused", async () => {
    const none = await ask(PATH, { method: "POST", headers: { "content-type": "application/json" } });
    expect([none.status, at(none.body, "details", 0, "field")]).toEqual([400, "manifest"]);
    const broken = await post(changed, "", { "content-encoding": "gzip" });
    expect([broken.status, at(broken.body, "message")]).toEqual([400, "The body is not well-formed gzip."]);
    const packed = gzipSync(changed);
    const cut = await post(new Uint8Array(packed.subarray(0, packed.length / 2)), "", { "content-encoding": "gzip" });
    expect([cut.status, at(cut.body, "message")]).toEqual([400, "The body is not well-formed gzip."]);
  });

  test.each([
    ["another type", { "content-type": "text/plain" }],
    ["another compression", { "content-encoding": "br" }],
    ["another character set", { "content-type": "application/json; charset=latin1" }],
  ])("A manifest with %s is refused", async (_what, headers) => {
    const { status, body } = await post(changed, "", headers);
    expect([status, at(body, "error")]).toEqual([415, "unsupported_media_type"]);
  });

  test("A manifest that is unpacked to more than 64 MiB is refused", async () => {
    const packed = gzipSync(Buffer.alloc(64 * MIB + 1, " "), { level: 1 });
    const bomb = await post(new Uint8Array(packed), "", { "content-encoding": "gzip" });
    expect([bomb.status, at(bomb.body, "error")]).toEqual([413, "payload_too_large"]);
    expect(checker.faultsOf(PATH, "POST", 413, bomb.body)).toEqual([]);
  });

  test("The answer to a manifest is saved if that is asked for and something was found, and the same answer once", async () => {
    const { body, headers } = await post(changed, "?save=true");
    expect(headers.get("tributary-found")).toBe("something");
    expect(at(body, "url")).toMatch(new RegExp(`^${running.url}/impact/saved/[0-9a-f]{32}$`));
    expect(at((await post(changed, "?save=true")).body, "url")).toBe(at(body, "url"));
    expect(at((await post(changed)).body, "url")).toBeNull();
    const same = await post(editShop(), "?save=true");
    expect([at(same.body, "url"), same.headers.get("tributary-found")]).toEqual([null, "nothing"]);
  });

  test("A wrong parameter is refused before the manifest is read", async () => {
    for (const query of ["?fail_on=red", "?colour=blue", "?connector=", "?fail_on=low&fail_on=high"]) {
      expect((await post(changed, query)).status).toBe(400);
    }
    expect((await post(changed, "?connector=nobody")).status).toBe(404);
  });

  test("A posted manifest counts as one request", async () => {
    const [first, second] = [await post("{}"), await post("{}")];
    const left = (answer: typeof first) => Number(answer.headers.get("x-ratelimit-remaining"));
    expect(left(first) - left(second)).toBe(1);
  });

  test.runIf(isFull)("A manifest whose length is more than 64 MiB is refused", async () => {
    const { status, body } = await post(new Uint8Array(64 * MIB + 1));
    expect([status, at(body, "error")]).toEqual([413, "payload_too_large"]);
  });

  test.runIf(isFull)("A manifest of more than 64 MiB without a length is refused", async () => {
    const chunk = Buffer.alloc(MIB, " ");
    const { sent, answered } = sendByHand();
    for (let n = 0; n <= 64; n++) sent.write(chunk);
    sent.end();
    expect((await answered).statusCode).toBe(413);
  });

  test.runIf(isFull)("A posted manifest writes nothing to the disk", async () => {
    vi.stubEnv("TMPDIR", "/nowhere");
    expect(tmpdir()).toBe("/nowhere");
    expect((await post(changed)).status).toBe(200);
    const packed = new Uint8Array(gzipSync(changed));
    expect((await post(packed, "", { "content-encoding": "gzip" })).status).toBe(200);
  });

  test.runIf(isFull)(
    "A posted manifest does not wait for bodies that are still arriving, with the same key or with others",
    async () => {
      const tokens = await Promise.all(Array.from({ length: 4 }, () => running.createToken(["read"])));
      const slow = [running.token, ...tokens].map((token) => sendByHand(token));
      for (const { sent } of slow) {
        sent.write(changed.slice(0, 1_000));
        await once(sent, "continue");
      }
      expect((await post(changed)).status).toBe(200);
      for (const { sent } of slow) sent.end(changed.slice(1_000));
      const statuses = await Promise.all(slow.map(async ({ answered }) => (await answered).statusCode));
      expect(statuses).toEqual([200, 200, 200, 200, 200]);
    },
  );

  test("The connector of a posted manifest is found by the manifest if there are two", async () => {
    const { metadata } = running.app;
    const workspace = present(await metadata.workspaces.findByName("default"));
    await metadata.connectors.create({
      workspaceId: workspace.id,
      type: "dbt",
      name: "second",
      options: { manifest: "/nowhere.json" },
      secretOptions: [],
    });
    expect(String((await post(changed, "", { accept: "text/markdown" })).body)).toMatch(/^### Impact on `shop`\n/);
    const foreign = editShop((manifest) => {
      for (const nodes of [manifest.nodes, manifest.sources]) {
        for (const [id, node] of Object.entries(nodes)) {
          delete nodes[id];
          Object.assign(nodes, { [id.replace(".shop.", ".other.")]: { ...node, schema: "elsewhere" } });
        }
      }
    });
    const unknown = await post(foreign);
    expect([unknown.status, at(unknown.body, "details", 0)]).toEqual([
      400,
      { field: "connector", message: "is required: the manifest fits none of second, shop" },
    ]);
    expect((await post(changed, "?connector=shop")).status).toBe(200);
    const never = await post(changed, "?connector=second");
    expect([never.status, at(never.body, "details", 0, "field")]).toEqual([400, "connector"]);
  });
});
