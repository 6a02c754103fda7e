/** What the test of an Airflow connector's options reports. */
import { describe, expect, it } from "vitest";

import { createAirflowConnector } from "../../../src/connectors/airflow/connector.ts";
import type { SourceFinding } from "../../../src/connectors/connector.ts";
import {
  type FakeAirflow,
  type Intrusion,
  json,
  serveAirflow,
  TOKEN,
  USER,
  type Version,
} from "../../support/airflow.ts";
import { LOCAL } from "../../support/airflow-crawl.ts";

const CONTENTS = { dags: [{ id: "a", tasks: [{ id: "one" }] }], assets: [] };

async function test(options: Record<string, string>): Promise<SourceFinding[]> {
  const { pull, options: shape } = createAirflowConnector(LOCAL);
  return pull.test(shape.parse(options), new AbortController().signal);
}

const refuseAt =
  (end: string, status: number): Intrusion =>
  ({ path }, response) => {
    if (!path.endsWith(end)) return false;
    json(response, { detail: "no" }, status);
    return true;
  };

describe.each<Version>(["2.10.5", "3.1.0"])("the test of Airflow %s", (version) => {
  const serve = (contents = CONTENTS): Promise<FakeAirflow> => serveAirflow(contents, { version });
  const assets = version.startsWith("2.") ? "datasets" : "assets";

  it("The test of a good Airflow finds nothing wrong, with a token or a user", async () => {
    const { url } = await serve();
    expect(await test({ url, token: TOKEN })).toEqual([]);
    expect(await test({ url, ...USER })).toEqual([]);
    expect(await test({ url: `${url}/home`, ...USER })).toEqual([]);
  });

  it("The test of Airflow names the credentials that are refused", async () => {
    const { url } = await serve();
    const [wrong, ...others] = await test({ url, ...USER, password: "wrong" });
    expect(wrong).toMatchObject({ option: "username", severity: "error" });
    expect(wrong?.message).toMatch(/^Airflow refuses the credentials \(HTTP 401\)\. /);
    expect(wrong?.message).toContain("The user name or the password is wrong");
    expect(others).toEqual([]);
    expect(await test({ url, token: "wrong" })).toMatchObject([
      { option: "token", message: expect.stringMatching(/token is missing, wrong or expired\.$/) as string },
    ]);
    expect(await test({ url })).toMatchObject([{ option: "token", severity: "error" }]);
  });

  it("The test of Airflow says of a refused token that it may be wrong, also if the answer is 403", async () => {
    const airflow = await serve();
    airflow.intrude = refuseAt("/dags", 403);
    const [byToken] = await test({ url: airflow.url, token: "wrong" });
    expect(byToken?.message).toContain("The token is wrong or expired, or its user lacks a role.");
    const [byUser] = await test({ url: airflow.url, ...USER });
    expect(byUser?.message).not.toContain("token");
  });

  it("The test of Airflow names each list that the credentials may not read", async () => {
    const airflow = await serve();
    airflow.intrude = (request, response) =>
      refuseAt("/tasks", 403)(request, response) || refuseAt(`/${assets}`, 403)(request, response);
    const findings = await test({ url: airflow.url, token: TOKEN });
    expect(findings.map(({ option, message }) => `${option}: ${message.split(":")[0]}`)).toEqual([
      "token: The tasks of the DAG a cannot be read",
      `token: The list of ${assets} cannot be read`,
    ]);
    expect(findings[0]?.message).toContain("The role Viewer is enough");
  });

  it("The test of Airflow warns if there is no DAG to see", async () => {
    const { url } = await serve({ dags: [], assets: [] });
    expect(await test({ url, ...USER })).toEqual([
      {
        option: "username",
        severity: "warning",
        message: `Airflow ${version} shows no DAG: it has none, or these credentials may read none.`,
      },
    ]);
  });
});

describe("the test of other servers", () => {
  it("The test of Airflow names an address that cannot be reached", async () => {
    const airflow = await serveAirflow(CONTENTS);
    await airflow[Symbol.asyncDispose]();
    const [finding] = await test({ url: airflow.url, token: TOKEN });
    expect(finding).toMatchObject({ option: "url", severity: "error" });
    expect(finding?.message).toBe(
      `The version cannot be read: Airflow cannot be reached: ECONNREFUSED. (${airflow.url}/)`,
    );
  });

  it("The test of Airflow says that an address belongs to another tool", async () => {
    const airflow = await serveAirflow(CONTENTS);
    airflow.intrude = (_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<html>Hello</html>");
      return true;
    };
    expect(await test({ url: airflow.url, token: TOKEN })).toEqual([
      {
        option: "url",
        severity: "error",
        message: `The version cannot be read: Airflow sent an answer that is not JSON. (${airflow.url}/)`,
      },
    ]);
  });

  it("The test of Airflow asks for a token if Airflow 3 gives none for a user", async () => {
    const airflow = await serveAirflow(CONTENTS);
    airflow.intrude = refuseAt("/auth/token", 404);
    expect(await test({ url: airflow.url, ...USER })).toEqual([
      { option: "token", severity: "error", message: expect.stringMatching(/Use the option token\.$/) as string },
    ]);
  });
});

const estimate = (url: string, token = TOKEN): Promise<number> => {
  const { pull, options } = createAirflowConnector(LOCAL);
  return pull.estimateSeconds(options.parse({ url, token }));
};

describe("the estimate", () => {
  it("The estimated duration of a sync grows with the number of DAGs", async () => {
    const dags = Array.from({ length: 410 }, (_, i) => ({ id: `d${i}` }));
    const airflow = await serveAirflow({ dags });
    expect(await estimate(airflow.url)).toBe(21);
    expect(airflow.asked()).toEqual(["/version", "/dags?limit=1"]);
  });

  it("The estimated duration of a sync is a minute if Airflow does not tell its number of DAGs", async () => {
    const { url } = await serveAirflow(CONTENTS);
    expect(await estimate(url, "wrong")).toBe(60);
  });
});
