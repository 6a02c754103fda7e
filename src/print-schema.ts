/**
 * Writes the files that are generated from the code: the contracts in `schema/`, and the tables in `docs/`.
 * With `--check` it only checks whether they are up to date, and sets the exit code.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { minifyIntrospection, outputIntrospectionFile } from "@gql.tada/internal";
import { introspectionFromSchema, stripIgnoredCharacters } from "graphql";

import packageJson from "../package.json" with { type: "json" };
import { EFFECTS, EVIDENCE_KINDS, RISK_RULES } from "./catalog/impact.ts";
import { printCommands } from "./cli/command-table.ts";
import { readOperationTexts } from "./cli/operation-text.ts";
import { createProgram } from "./cli/program.ts";
import { loadOperations, readOperations } from "./graphql/operations.ts";
import { printSchemaText, schema } from "./graphql/schema.ts";
import { buildOpenapi } from "./rest/openapi/document.ts";
import { printRequirements } from "./rest/requirements.ts";
import { ROUTES } from "./rest/routes.ts";

const ROOT = new URL("../", import.meta.url);

const sources = { routes: ROUTES, operations: loadOperations(), schema };
const openapi = buildOpenapi({ ...sources, version: packageJson.version, origin: null });

const commands = printCommands(await createProgram());

/** Functions that return the new text of each file from its present text. */
const printed: Record<string, (text: string) => string> = {
  "schema/schema.graphql": () => printSchemaText(),
  "schema/introspection.d.ts": () => printIntrospection(),
  "schema/operation-texts.d.ts": () => printOperations(),
  "schema/openapi.json": () => `${JSON.stringify(openapi, null, 2)}\n`,
  "docs/permissions.md": (text) => withTable("requirements", text, printRequirements(sources)),
  "docs/command-line.md": (text) => withTable("commands", text, commands),
  "docs/impact.md": (text) => withTable("rules", text, printRiskRules()),
};

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
for (const [name, print] of Object.entries(printed)) {
  const file = new URL(name, ROOT);
  const text = readIfThere(file);
  const wanted = print(text);
  if (text === wanted) continue;
  if (values.check) {
    console.error(`${name} is out of date; run npm run schema.`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, wanted);
    console.log(`${name} is new.`);
  }
}

/** Replaces the table between the two comments with its name. */
function withTable(name: string, text: string, table: string): string {
  const marked = new RegExp(`(?<=<!-- ${name}, .* -->\\n)[^]*?(?=<!-- /${name} -->)`);
  if (!marked.test(text)) throw new Error(`There are no marks for the ${name}.`);
  return text.replace(marked, () => `${table}\n`);
}

/** The schema as a type, from which the documents of the workspace UI get theirs. */
function printIntrospection(): string {
  const introspection = minifyIntrospection(introspectionFromSchema(schema, { descriptions: false }));
  const text = outputIntrospectionFile(introspection, { fileType: ".d.ts", shouldPreprocess: true });
  // What follows would declare it for every user of the package.
  const [type = ""] = text.split("\nimport * as gqlTada");
  return type;
}

/** What the command line may run, each as the type of its text, from which the type of its answer follows. */
function printOperations(): string {
  const textOf = readOperationTexts();
  const rows = [...readOperations(["commands", "tools"]).keys()].map(
    (name) => `  ${name}: ${JSON.stringify(stripIgnoredCharacters(textOf(name)))};`,
  );
  return ["export interface OperationTexts {", ...rows, "}", ""].join("\n");
}

function readIfThere(file: URL): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** The rules of risk as a table in Markdown, from the same rules that the code applies, in the same order. */
function printRiskRules(): string {
  const rows = RISK_RULES.map(({ effect, path, affected, risk, because }) => [
    inCode(effect, EFFECTS),
    inCode(path, EVIDENCE_KINDS),
    affected,
    `**${risk}**`,
    because,
  ]);
  return ["| the change | the path is | what is affected | risk | because |", "|---|---|---|---|---|"]
    .concat(rows.map((cells) => `| ${cells.join(" | ")} |`))
    .join("\n");
}

function inCode(words: readonly string[], all: readonly string[]): string {
  return words.length === all.length ? "anything" : words.map((word) => `\`${word}\``).join(", ");
}
