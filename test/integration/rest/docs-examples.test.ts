import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { change, impact } from "../../../src/rest/openapi/examples.ts";
import { type RunningApp, startApp } from "../../support/app.ts";

const openapi = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        description: z.string(),
        requestBody: z
          .object({ content: z.record(z.string(), z.looseObject({ example: z.unknown().optional() })) })
          .optional(),
        parameters: z
          .array(
            z.looseObject({ name: z.string().optional(), in: z.string().optional(), example: z.unknown().optional() }),
          )
          .default([]),
      }),
    ),
  ),
});

describe("the requests of the docs page", () => {
  let running: RunningApp;
  beforeAll(async () => {
    running = await startApp({ sample: true });
  });
  afterAll(() => running.close());

  const ask = (path: string, body?: unknown) =>
    fetch(`${running.url}${path}`, {
      headers: { authorization: `Bearer ${running.token}`, "content-type": "application/json" },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });

  it("The requests of the docs page work with the sample, except those about a connector", async () => {
    const { paths } = openapi.parse(await (await fetch(`${running.url}/openapi.json`)).json());
    const answers: string[] = [];
    for (const [path, { get, post }] of Object.entries(paths)) {
      const operation = get ?? post;
      const body = operation?.requestBody?.content["application/json"]?.example;
      // These examples are for the service's own pages.
      if (path.startsWith("/auth/")) continue;
      // The address of a feed is a secret, so there is no example of one.
      if (path.startsWith("/notices/feed/")) continue;
      // Aspects are not kept, so reading one is always 404.
      if (path.startsWith("/datahub/") && get !== undefined && path.includes("{urn}")) continue;
      if (operation === undefined || path.includes("{connector_id}") || (post !== undefined && body === undefined))
        continue;
      const given = operation.parameters.filter((each) => each.example !== undefined);
      const filled = given.reduce((text, each) => text.replace(`{${each.name}}`, String(each.example)), path);
      const inQuery = given
        .filter((each) => each.in === "query")
        .map((each) => [each.name ?? "", String(each.example)]);
      const response = await ask(`${filled}?${new URLSearchParams(inQuery)}`, body);
      answers.push(`${response.status} ${path}`);
    }
    expect(answers.length).toBeGreaterThan(7);
    expect(answers.filter((answer) => !answer.startsWith("200 "))).toEqual([
      "201 /api/v1/lineage",
      "204 /api/v1/lineage/batch",
    ]);
  });

  it("The requests of the docs page say in words whose id they have", async () => {
    const { paths } = openapi.parse(await (await fetch(`${running.url}/openapi.json`)).json());
    const withIds = Object.entries(paths).flatMap(([path, item]) =>
      Object.values(item).flatMap(({ parameters, requestBody, description }) => {
        const inParameters = parameters.map((each) => each.example);
        const inBody = Object.values(requestBody?.content["application/json"]?.example ?? {});
        const id = [...inParameters, ...inBody].find((each) => /^(con_)?[0-9a-f]{32}$/.test(String(each)));
        const [, subject = ""] = /\n\nThe example: (.+)$/.exec(description) ?? [];
        return id === undefined ? [] : [{ path, id: String(id), subject }];
      }),
    );
    expect(withIds.length).toBeGreaterThan(5);
    const wrong: string[] = [];
    for (const { path, id, subject } of withIds) {
      const query = `query ($id: ID!) { node(id: $id) { ... on Asset { fqn } ... on Metric { name } } }`;
      const { data } = await (await ask("/graphql", { query, variables: { id } })).json();
      // A connector gets its id when it is added, so an example cannot contain an existing id.
      const owner = id.startsWith("con_") ? "connector" : `\`${data.node?.fqn ?? data.node?.name}\``;
      if (!subject.includes(owner)) wrong.push(`${path}: ${subject || "nothing"}, not ${owner}`);
    }
    expect(wrong).toEqual([]);
  });

  it("The example of an impact is the real answer of the service", async () => {
    const completeness = { ...impact.completeness, as_of: expect.any(String) };
    expect(await (await ask("/api/v1/lineage/impact", change)).json()).toEqual({ ...impact, completeness });
  });
});
