/** The options of an Airflow connector: where the web server is, who asks, and which DAGs are read. */
import { z } from "zod";

import { isHttp } from "../http/find-url.ts";
import { entriesOption, fitsPattern, instanceOption, nameOption } from "../option-values.ts";

const baseUrl = z
  .string()
  .trim()
  .transform((given, context): URL => {
    const url = URL.parse(given);
    const refuse = (message: string): never => {
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    };
    if (url === null || !isHttp(url)) return refuse("must be an http(s) URL, such as https://airflow.example.com");
    if (url.username !== "" || url.password !== "") {
      return refuse("must not contain a user name or password: use the options username and password");
    }
    if (url.search !== "" || url.hash !== "") return refuse("must not contain ? or #");
    // People copy the address of the API or of the first page.
    url.pathname = `${url.pathname.replace(/\/+$/, "").replace(/\/(?:api(?:\/v\d+)?|home|dags)$/, "")}/`;
    return url;
  });

/** `sales_*, *.daily`. `*` stands for any text. */
const patterns = entriesOption(200).prefault("");

export const airflowOptions = z
  .strictObject({
    url: baseUrl.describe("Address of the web server (Airflow 2) or API server (Airflow 3), without /api"),
    username: z.string().trim().min(1).optional().describe("User who asks; give the password too"),
    password: z.string().min(1).optional().describe("Password of the user"),
    token: z.string().trim().min(1).optional().describe("Bearer token, instead of a user name and password"),
    dags: patterns.describe("Ids of the DAGs to read, separated by commas; `*` stands for any text; by default all"),
    exclude_dags: patterns.describe("Ids of DAGs to leave out, written in the same way"),
    include_paused: z
      .enum(["yes", "no"], "must be yes or no")
      .default("yes")
      .transform((answer) => answer === "yes")
      .describe("Whether DAGs that are paused are read: yes (default) or no"),
    openlineage_namespace: nameOption
      .min(1)
      .max(1_000)
      .optional()
      .describe("The namespace of this Airflow's jobs in its OpenLineage events, if it sends them here too"),
    instance: instanceOption,
  })
  .superRefine(({ username, password, token }, context) => {
    const refuse = (key: string, message: string): void => {
      context.addIssue({ code: "custom", path: [key], message });
    };
    if (token !== undefined && (username ?? password) !== undefined) {
      refuse("token", "cannot be given together with a user name or password");
    } else if (username !== undefined && password === undefined) refuse("password", "must be given with the user name");
    else if (password !== undefined && username === undefined) refuse("username", "must be given with the password");
  });
export type AirflowOptions = z.infer<typeof airflowOptions>;

/** Whether the options say that the DAG is to be read. */
export function isWanted(
  { id, isPaused }: { id: string; isPaused: boolean },
  { dags, exclude_dags: excluded, include_paused: withPaused }: AirflowOptions,
): boolean {
  if (isPaused && !withPaused) return false;
  if (dags.length > 0 && !dags.some((pattern) => fitsPattern(id, pattern))) return false;
  return !excluded.some((pattern) => fitsPattern(id, pattern));
}
