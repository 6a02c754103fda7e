/** Reads the JSON Schema of a connector type's options, as far as a form needs it. */
import type { ConnectorType } from "./documents.ts";

export type OptionField = ReturnType<typeof listOptionFields>[number];

/** Fields in the order of the schema, what is required first. */
export function listOptionFields({ options, secretOptions }: Pick<ConnectorType, "options" | "secretOptions">) {
  const required = new Set(Array.isArray(options["required"]) ? options["required"] : []);
  const fields = Object.entries(toRecord(options["properties"])).map(([name, schema]) => {
    const { description, enum: choices, default: standard } = toRecord(schema);
    return {
      name,
      label: toLabel(name),
      description: typeof description === "string" ? description : "",
      isRequired: required.has(name),
      isSecret: secretOptions.includes(name),
      /** What can be chosen; null if it is any text. */
      choices: Array.isArray(choices) ? choices.filter((choice) => typeof choice === "string") : null,
      /** What counts if nothing is given. */
      standard: typeof standard === "string" ? standard : "",
    };
  });
  return fields.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

const WORDS: Readonly<Record<string, string>> = { url: "URL", ssl: "SSL", dbt: "dbt", id: "id", dags: "DAGs" };

/** `ssl_root_cert` is `SSL root cert`. */
function toLabel(name: string): string {
  const text = name
    .split("_")
    .map((word) => WORDS[word] ?? word)
    .join(" ");
  return text.startsWith("dbt") ? text : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
