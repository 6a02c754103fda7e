/** The options of a dbt connector: where its artifacts are. */
import { z } from "zod";

import { instanceOption } from "../connector.ts";
import { isHttp } from "../http/find-url.ts";

/** A path, or an http(s) URL without credentials. */
const location = z
  .string()
  .trim()
  .min(1, "must name a file or an http(s) URL")
  .superRefine((text, context) => {
    if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return;
    const url = URL.parse(text);
    if (url === null || !isHttp(url)) {
      context.addIssue({ code: "custom", message: "must be a path or an http(s) URL" });
    } else if (url.username !== "" || url.password !== "") {
      context.addIssue({ code: "custom", message: "must not contain a user name or password: use the option token" });
    }
  });

export const dbtOptions = z.strictObject({
  manifest: location.describe("Path or URL of manifest.json (dbt 1.6 and later: v10, v11 or v12)"),
  catalog: location.optional().describe("Path or URL of catalog.json, for the columns in the warehouse"),
  semantic_manifest: location.optional().describe("Path or URL of semantic_manifest.json, for details of metrics"),
  run_results: location
    .optional()
    .describe("Path or URL of run_results.json, for the results of tests; by default the file beside a local manifest"),
  sources: location
    .optional()
    .describe("Path or URL of sources.json, for the freshness of sources; by default the file beside a local manifest"),
  instance: instanceOption,
  token: z.string().min(1).optional().describe("Sent as a bearer token with every request for a URL"),
});
export type DbtOptions = z.infer<typeof dbtOptions>;

/** The artifacts that a crawl reads, in the order in which it reads them. */
export const ARTIFACTS = ["manifest", "catalog", "semantic_manifest", "run_results", "sources"] as const;
export type Artifact = (typeof ARTIFACTS)[number];

/** dbt's names of the files, which errors use too. */
export const FILE_NAMES = {
  manifest: "manifest.json",
  catalog: "catalog.json",
  semantic_manifest: "semantic_manifest.json",
  run_results: "run_results.json",
  sources: "sources.json",
} as const satisfies Record<Artifact, string>;
