import { describe, expect, test } from "vitest";

import { airflowOptions, isWanted } from "../../../../src/connectors/airflow/options.ts";

const ADDRESS = "https://airflow.example.com";
const faultsOf = (options: Record<string, string>): string[] =>
  (airflowOptions.safeParse({ url: ADDRESS, ...options }).error?.issues ?? []).map(
    ({ path, message }) => `${path.join(".")} ${message}`,
  );

describe("Options", () => {
  test.each([
    ["https://airflow.example.com", "https://airflow.example.com/"],
    ["https://airflow.example.com/home", "https://airflow.example.com/"],
    ["https://example.com/prod/api/v1/", "https://example.com/prod/"],
    ["https://example.com/prod/api/v2", "https://example.com/prod/"],
    [" https://example.com/team/airflow/// ", "https://example.com/team/airflow/"],
  ])("The Airflow options accept the address %s", (url, base) => {
    expect(airflowOptions.parse({ url }).url.href).toBe(base);
  });

  test.each([
    ["ftp://example.com", "url must be an http(s) URL, such as https://airflow.example.com"],
    ["airflow.example.com", "url must be an http(s) URL, such as https://airflow.example.com"],
    [
      "https://me:pw@example.com",
      "url must not contain a user name or password: use the options username and password",
    ],
    ["https://example.com/?x=1", "url must not contain ? or #"],
  ])("The Airflow options refuse the address %s", (url, fault) => {
    expect(faultsOf({ url })).toEqual([fault]);
  });

  test("The Airflow options take either a token, or a user name and a password", () => {
    expect(faultsOf({ token: "t" })).toEqual([]);
    expect(faultsOf({ username: "u", password: "p" })).toEqual([]);
    expect(faultsOf({ username: "u" })).toEqual(["password must be given with the user name"]);
    expect(faultsOf({ password: "p" })).toEqual(["username must be given with the password"]);
    expect(faultsOf({ token: "t", username: "u", password: "p" })).toEqual([
      "token cannot be given together with a user name or password",
    ]);
  });

  test("The Airflow options refuse unclear yes/no values", () => {
    expect(faultsOf({ include_paused: "maybe" })).toEqual(["include_paused must be yes or no"]);
    expect(faultsOf({ dags: "a*b*c*d*e*f*g" })).toEqual([]);
  });

  test("The Airflow options select DAGs by their ids, and by whether they are paused", () => {
    const ids = ["sales.daily", "sales_tmp", "ops", "Ökonomie", "a+b"];
    const wanted = (options: Record<string, string>, isPaused = false) => {
      const parsed = airflowOptions.parse({ url: ADDRESS, ...options });
      return ids.filter((id) => isWanted({ id, isPaused }, parsed));
    };
    expect(wanted({})).toEqual(ids);
    expect(wanted({ dags: "sales*, Öko*" })).toEqual(["sales.daily", "sales_tmp", "Ökonomie"]);
    expect(wanted({ dags: "sales*", exclude_dags: "*_tmp" })).toEqual(["sales.daily"]);
    expect(wanted({ dags: "sales?daily,a+b" })).toEqual(["a+b"]);
    expect(wanted({ include_paused: "no" })).toEqual(ids);
    expect(wanted({ include_paused: "no" }, true)).toEqual([]);
    expect(wanted({}, true)).toEqual(ids);
  });
});
