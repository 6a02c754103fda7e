/** Writes the printed contracts in `schema/`; with `--check` it only says, by its exit code, whether they are up to date. */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import packageJson from "../package.json" with { type: "json" };
import { loadOperations } from "./graphql/operations.ts";
import { printSchemaText, schema } from "./graphql/schema.ts";
import { buildOpenapi } from "./rest/openapi/document.ts";
import { ROUTES } from "./rest/routes.ts";

const FOLDER = new URL("../schema/", import.meta.url);

/** A document serves wherever it stands: its own server is the one that it was fetched from. */
const ORIGIN = "/";

const openapi = buildOpenapi({
  routes: ROUTES,
  operations: loadOperations(),
  schema,
  version: packageJson.version,
  origin: ORIGIN,
});

const printed = {
  "schema.graphql": printSchemaText(),
  "openapi.json": `${JSON.stringify(openapi, null, 2)}\n`,
};

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
for (const [name, text] of Object.entries(printed)) {
  const file = new URL(name, FOLDER);
  if (!values.check) writeFileSync(file, text);
  else if (readIfThere(file) !== text) {
    console.error(`schema/${name} is not what the code says; run npm run schema.`);
    process.exitCode = 1;
  }
}

function readIfThere(file: URL): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
