/** The options of a dbt connector: where its artifacts are. */
import { z } from "zod";

import { findUrl, isPath } from "../http/find-url.ts";
import { parseS3 } from "../http/s3.ts";
import { instanceOption } from "../option-values.ts";

type Check = (text: string, context: z.RefinementCtx) => void;

const refuse = (context: z.RefinementCtx, message: string, path: string[] = []): void => {
  context.addIssue({ code: "custom", message, path });
};

const checkLocation: Check = (text, context) => {
  if (isPath(text)) return;
  const url = findUrl(text);
  if (url === null && parseS3(text) === null) {
    refuse(context, "must be a path, or a URL with http, https or s3");
  } else if (url !== null && hasCredentials(url)) {
    refuse(context, "must not contain a user name or password: use the option token");
  }
};

function hasCredentials({ username, password }: URL): boolean {
  return username !== "" || password !== "";
}

const location = z.string().trim().min(1, "must name a file or a URL").superRefine(checkLocation);

/** One file. */
const file = location.refine((text) => isPath(text) || !text.startsWith("s3:") || !/^s3:\/\/[^/]*\/?$|\/$/.test(text), {
  message: "must name a file in the bucket",
});

const number = z
  .string()
  .trim()
  .regex(/^\d{1,18}$/, "must be a number");

export const DEFAULT_CLOUD_HOST = "cloud.getdbt.com";

/** The origin of `cloud.getdbt.com`, or of a URL such as `https://ab123.us1.dbt.com/`. Null if it is neither. */
export function findCloudOrigin(text: string): URL | null {
  const url = findUrl(isPath(text) ? `https://${text.trim()}` : text.trim());
  return url !== null && url.pathname === "/" && url.search === "" && url.hash === "" && !hasCredentials(url)
    ? url
    : null;
}

const endpoint = z
  .string()
  .trim()
  .refine(
    (text) => {
      const url = findUrl(text);
      return url !== null && url.search === "" && url.hash === "" && !hasCredentials(url);
    },
    { message: "must be an http(s) URL, such as https://minio.example.com" },
  );

const text = z.string().trim().min(1, "must not be empty");

const fields = z.strictObject({
  target: location
    .optional()
    .describe("Folder that dbt writes its artifacts to: a path or URL; each artifact is read if it exists"),
  manifest: file
    .optional()
    .describe("Path or URL of manifest.json (dbt 1.6 and later: v10, v11 or v12); by default in target"),
  catalog: file
    .optional()
    .describe("Path or URL of catalog.json, for the columns in the warehouse; by default in target"),
  semantic_manifest: file
    .optional()
    .describe("Path or URL of semantic_manifest.json, for details of metrics; by default in target"),
  run_results: file
    .optional()
    .describe("Path or URL of run_results.json, for the results of tests; by default in target"),
  sources: file.optional().describe("Path or URL of sources.json, for the freshness of sources; by default in target"),
  instance: instanceOption,
  token: text.optional().describe("For dbt Cloud its API token; else sent as a bearer token to each http(s) URL"),
  access_key_id: text.optional().describe("Access key for s3:// URLs; leave it out if the bucket is public"),
  secret_access_key: text.optional().describe("The secret of the access key"),
  session_token: text.optional().describe("The session token, if the access key is a temporary one"),
  region: z
    .string()
    .trim()
    .regex(/^[a-z\d-]{1,40}$/, "must be a region, such as eu-west-1")
    .optional()
    .describe("Region of the bucket, us-east-1 by default"),
  endpoint: endpoint.optional().describe("URL of a storage service that speaks S3 and is not Amazon's"),
  dbt_cloud_account: number
    .optional()
    .describe("Account id in dbt Cloud; the artifacts of its latest successful run are read"),
  dbt_cloud_job: number.optional().describe("Id of the dbt Cloud job whose runs count"),
  dbt_cloud_environment: number
    .optional()
    .describe("Instead of a job: id of the dbt Cloud environment whose runs count"),
  dbt_cloud_host: z
    .string()
    .refine((host) => findCloudOrigin(host) !== null, { message: "must be a host, such as ab123.us1.dbt.com" })
    .optional()
    .describe("Host of dbt Cloud for the account, cloud.getdbt.com by default"),
});

export type DbtOptions = z.infer<typeof fields>;

export const dbtOptions: z.ZodType<DbtOptions> = fields.superRefine((options, context) => {
  const need = (key: keyof DbtOptions, message: string): void => refuse(context, message, [key]);
  const { manifest, target, token } = options;
  const { dbt_cloud_account: account, dbt_cloud_job: job, dbt_cloud_environment: environment } = options;
  const hasKey = options.access_key_id !== undefined;
  if (account === undefined) {
    if (manifest === undefined && target === undefined)
      need("target", "is required, or manifest, or dbt_cloud_account");
    if (job !== undefined || environment !== undefined)
      need("dbt_cloud_account", "is required with a job or environment");
  } else {
    if (target !== undefined)
      need("target", "is not possible with dbt_cloud_account, where the artifacts come from runs");
    if (token === undefined) need("token", "is required with dbt_cloud_account");
    if ((job === undefined) === (environment === undefined)) {
      need("dbt_cloud_job", "is required, or else dbt_cloud_environment; not both");
    }
  }
  if (hasKey !== (options.secret_access_key !== undefined)) {
    need(hasKey ? "secret_access_key" : "access_key_id", "is required: an access key and its secret go together");
  }
  if (options.session_token !== undefined && !hasKey) need("access_key_id", "is required with session_token");
});

/** The options that are encrypted. */
export const SECRET_OPTIONS = ["token", "secret_access_key", "session_token"] as const;

/** The artifacts that a crawl reads, in the order in which it reads them. */
export const ARTIFACTS = ["manifest", "catalog", "semantic_manifest", "run_results", "sources"] as const;
export type Artifact = (typeof ARTIFACTS)[number];

/** The options that name a location. */
export const PLACE_OPTIONS = ["target", ...ARTIFACTS] as const;

/** dbt's names of the files, which errors use too. */
export const FILE_NAMES = {
  manifest: "manifest.json",
  catalog: "catalog.json",
  semantic_manifest: "semantic_manifest.json",
  run_results: "run_results.json",
  sources: "sources.json",
} as const satisfies Record<Artifact, string>;
