import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { impact } from "../../../src/rest/examples.ts";
import { type RunningApp, startApp } from "../../support/app.ts";

const openapi = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
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

  it("work with their bodies too", async () => {
    const { paths } = openapi.parse(await (await fetch(`${running.url}/openapi.json`)).json());
    const { example } = paths["/api/v1/lineage/impact"]?.["post"]?.requestBody?.content["application/json"] ?? {};
    const response = await fetch(`${running.url}/api/v1/lineage/impact`, {
      method: "POST",
      headers: { authorization: `Bearer ${running.token}`, "content-type": "application/json" },
      body: JSON.stringify(example),
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ ...impact, affected: expect.arrayContaining(impact.affected) });
  });

  it("work as they stand where the sample was loaded, but for those about a connector", async () => {
    const { paths } = openapi.parse(await (await fetch(`${running.url}/openapi.json`)).json());
    const answers: string[] = [];
    for (const [path, { get }] of Object.entries(paths)) {
      if (get === undefined || path.includes("{connector_id}")) continue;
      const given = get.parameters.filter((each) => each.example !== undefined);
      const filled = given.reduce((text, each) => text.replace(`{${each.name}}`, String(each.example)), path);
      const inQuery = given
        .filter((each) => each.in === "query")
        .map((each) => [each.name ?? "", String(each.example)]);
      const response = await fetch(`${running.url}${filled}?${new URLSearchParams(inQuery)}`, {
        headers: { authorization: `Bearer ${running.token}` },
      });
      answers.push(`${response.status} ${path}`);
    }
    expect(answers.length).toBeGreaterThan(6);
    expect(answers.filter((answer) => !answer.startsWith("200 "))).toEqual([]);
  });
});
