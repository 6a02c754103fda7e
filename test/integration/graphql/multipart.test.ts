/** Files in GraphQL requests, sent as browsers send them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type RunningApp, startApp } from "../../support/app.ts";
import { dropAmount, editShop, retypeColumn } from "../../support/edited-shop.ts";
import { at, type Json } from "../../support/rest-client.ts";

const QUERY = `query ($manifest: Upload!) {
  manifestImpact(upload: $manifest) { failed(failOn: high) changes { name } markdown }
}`;
const MAP = { "0": ["variables.manifest"] };
const changed = editShop(dropAmount);

let running: RunningApp;
beforeAll(async () => {
  running = await startApp({ sample: true });
});
afterAll(() => running.close());

interface Sent {
  operations?: unknown;
  map?: unknown;
  files?: Record<string, string>;
}

async function send({
  operations = { query: QUERY, variables: { manifest: null } },
  map = MAP,
  files = { "0": changed },
}: Sent = {}): Promise<{ status: number; body: Json; remaining: number }> {
  const form = new FormData();
  form.append("operations", JSON.stringify(operations));
  form.append("map", JSON.stringify(map));
  for (const [name, text] of Object.entries(files)) form.append(name, new File([text], "manifest.json"));
  return post(form);
}

async function post(body: BodyInit, headers: Record<string, string> = {}) {
  const response = await fetch(`${running.url}/graphql`, {
    method: "POST",
    body,
    headers: { authorization: `Bearer ${running.token}`, ...headers },
  });
  const json: Json = await response.json();
  return { status: response.status, body: json, remaining: Number(response.headers.get("x-ratelimit-remaining")) };
}

const messageOf = (body: Json): string => String(at(body, "errors", 0, "message") ?? at(body, "message"));

describe("a GraphQL request with a file", () => {
  test("A GraphQL request with a file is answered from the file", async () => {
    const { status, body } = await send();
    expect(status).toBe(200);
    expect(at(body, "data", "manifestImpact", "failed")).toBe(true);
    expect(at(body, "data", "manifestImpact", "changes", 0, "name")).toBe("amount");
    expect(at(body, "data", "manifestImpact", "markdown")).toMatch(/^### Impact on `shop`/);
  });

  test("A GraphQL request with a file counts against the rate limit, even if the file cannot be read", async () => {
    const { remaining } = await send();
    const { status, remaining: after } = await send({ map: { "0": ["variables.other"] } });
    expect({ status, after }).toEqual({ status: 400, after: remaining - 1 });
  });

  test.each<[string, Sent, RegExp]>([
    [
      "a map to a value that is not null",
      { operations: { query: QUERY, variables: { manifest: "x" } } },
      /null in the request/,
    ],
    ["a map out of the variables", { map: { "0": ["query"] } }, /null in the request/],
    ["a map into a prototype", { map: { "0": ["variables.__proto__.manifest"] } }, /null in the request/],
    ["a map to no file", { map: { "1": ["variables.manifest"] } }, /no file of the form/],
    ["a map that is a list", { map: [] }, /map: must be a JSON object/],
    ["no request", { operations: [] }, /operations: must be a GraphQL request/],
    ["three files", { files: { "0": "{}", "1": "{}", "2": "{}" } }, /too many parts/],
    ["no manifest", { files: { "0": "{}" } }, /not a dbt manifest/],
    [
      "a mutation",
      {
        operations: {
          query: "mutation ($file: Upload) { receiveLineageEvents(input: { upload: $file }) { receipt { received } } }",
          variables: { file: null },
        },
        map: { "0": ["variables.file"] },
      },
      /only if it is a query/,
    ],
  ])("A GraphQL request with a file is refused if it has %s", async (_what, sent, message) => {
    const { body } = await send(sent);
    expect(messageOf(body)).toMatch(message);
  });

  test.each([
    [
      "is cut off",
      '--x\r\nContent-Disposition: form-data; name="operations"\r\n\r\n{',
      "multipart/form-data; boundary=x",
    ],
    [
      "is cut off in its file",
      '--x\r\nContent-Disposition: form-data; name="0"; filename="a"\r\n\r\n{}',
      "multipart/form-data; boundary=x",
    ],
    ["has no boundary", "{}", "multipart/form-data"],
  ])("A GraphQL request with a file is refused if its body %s", async (_what, text, type) => {
    const { status, body } = await post(text, { "content-type": type });
    expect([status, messageOf(body)]).toEqual([400, expect.stringMatching(/well-formed|boundary/)]);
  });

  test("A request takes the catalog beside the manifest, in either order, for the types of columns", async () => {
    const catalog = retypeColumn("fct_refunds", "charge_id", "bytea");
    const operations = {
      query: `query ($manifest: Upload!, $catalog: Upload) {
        manifestImpact(upload: $manifest, catalogUpload: $catalog) { changes { name kind newType } }
      }`,
      variables: { manifest: null, catalog: null },
    };
    const same = editShop(() => {});
    const map = { m: ["variables.manifest"], c: ["variables.catalog"] };
    const retyped = [{ name: "charge_id", kind: "column_retyped", newType: "bytea" }];
    for (const files of [
      { m: same, c: catalog },
      { c: catalog, m: same },
    ]) {
      const { body } = await send({ operations, map, files });
      expect(at(body, "data", "manifestImpact", "changes")).toEqual(retyped);
    }
    const { body } = await send({ operations, map, files: { m: same, c: "{" } });
    expect(messageOf(body)).toMatch(/catalog\.json is not complete JSON/);
    const form = new FormData();
    form.append("operations", JSON.stringify(operations));
    form.append("map", JSON.stringify(map));
    for (const text of [same, "{}"]) form.append("m", new File([text], "manifest.json"));
    expect(messageOf((await post(form)).body)).toMatch(/same name/);
  });

  test("A request takes the catalog as text beside the manifest as a file, and refuses either if it is given as both", async () => {
    const catalog = retypeColumn("fct_refunds", "charge_id", "bytea");
    const same = editShop(() => {});
    const query = `query ($file: Upload, $manifest: String, $upload: Upload, $catalog: String) {
      manifestImpact(manifest: $manifest, upload: $upload, catalog: $catalog, catalogUpload: $file) { changes { kind } }
    }`;
    const ask = async (texts: object, name: string, file: string) => {
      const { body } = await send({
        operations: { query, variables: { ...texts, [name]: null } },
        map: { f: [`variables.${name}`] },
        files: { f: file },
      });
      return body;
    };
    const retyped = { data: { manifestImpact: { changes: [{ kind: "column_retyped" }] } } };
    expect(await ask({ catalog }, "upload", same)).toMatchObject(retyped);
    expect(messageOf(await ask({ manifest: "{}", catalog }, "file", catalog))).toMatch(/beside catalog\.json/);
    expect(messageOf(await ask({ manifest: "{}" }, "upload", same))).toMatch(/beside manifest\.json/);
  });

  test("A GraphQL request with a file needs a token", async () => {
    const { status } = await post(new FormData(), { authorization: "" });
    expect(status).toBe(401);
  });
});
