/** The options that say which installation and which environment a name of DataHub belongs to. */
import { z } from "zod";

import { fold } from "../../catalog/text.ts";
import { findUrl, isPath } from "../http/find-url.ts";
import { entriesOption, instanceOption, nameOption } from "../option-values.ts";

const MAX_INSTANCES = 200;

const name = nameOption.max(200, "must have at most 200 characters");

/** `eu=europe, main=`: DataHub's platform instances, folded, and what the other connectors call them. */
const instances = entriesOption(MAX_INSTANCES).transform((entries, context): ReadonlyMap<string, string> => {
  const pairs = entries.map((entry): [string, string] => {
    const at = entry.indexOf("=");
    const ours = name.safeParse(entry.slice(at + 1));
    if (at < 1 || !ours.success) {
      context.addIssue({ code: "custom", message: `${entry}: must be PLATFORM_INSTANCE=INSTANCE` });
    }
    return [fold(entry.slice(0, at).trim()), ours.data ?? ""];
  });
  return new Map(pairs);
});

const namingOptions = {
  instances: instances
    .prefault("")
    .describe(
      "What DataHub's platform instances are called here, as PLATFORM_INSTANCE=INSTANCE, separated by commas; others keep their names",
    ),
  environment: name
    .default("PROD")
    .describe(
      "The environment (`env` of recipes) of the other connectors' tables, PROD by default; others become a part of the instance",
    ),
  openlineage_namespace: name
    .optional()
    .describe("The namespace of Airflow's OpenLineage events, if the connector of Airflow has this option too"),
  instance: instanceOption,
};

/** The options of all connectors of DataHub. */
export const namingOptionsShape = z.object(namingOptions);
export type NamingOptions = z.infer<typeof namingOptionsShape>;

export const fileOptions = z.strictObject({
  location: z
    .string()
    .trim()
    .min(1, "must name a file, a folder or a URL")
    .refine((text) => isPath(text) || findUrl(text)?.username === "", {
      message: "must be a path, or an http(s) URL without a user name: use the option token",
    })
    .describe("Path or URL of a file that DataHub's sink `file` writes, or path of a folder of such files"),
  token: z.string().trim().min(1, "must not be empty").optional().describe("Sent as a bearer token to the URL"),
  ...namingOptions,
});
export type FileOptions = z.infer<typeof fileOptions>;
