/** Pull requests of a project with a Python model, whose code tells no columns. */
import { expect, it } from "vitest";

import { openDbtWhatIf } from "../support/dbt-what-if.ts";
import { entries, manifest, MODEL } from "../unit/connectors/dbt/project.ts";

const SEED = { ...MODEL, resource_type: "seed", config: { materialized: "seed" } };

/** @param copied what the Python model copies; null for no code in the manifest */
function project(
  schema: string,
  copied: string | null,
  { documented = ["id", "amount"], sql = true }: { documented?: readonly string[]; sql?: boolean } = {},
): object {
  const code = copied === null ? {} : { raw_code: `def model(dbt, s): return dbt.ref("${copied}")` };
  const columns = Object.fromEntries(documented.map((name) => [name, { name }]));
  const reader = {
    schema,
    language: "sql",
    raw_code: "{{ reader }}",
    compiled_code: sql ? `select id, amount from wh.${schema}.copy` : null,
    depends_on: { nodes: ["model.shop.copy"] },
  };
  return manifest({
    nodes: {
      ...entries({ "seed.shop.raw": { schema } }, SEED),
      ...entries({
        "model.shop.copy": { schema, language: "python", ...code, columns, depends_on: { nodes: ["seed.shop.raw"] } },
        "model.shop.reader": reader,
      }),
    },
  });
}

it("A Python model with the same code is no change, in any target", async () => {
  const { check } = await openDbtWhatIf({ manifest: project("mart", "raw") });
  for (const schema of ["mart", "pr_7"]) {
    const { changes, uncompared } = await check({ manifest: project(schema, "raw", { documented: ["id"] }) });
    const told = uncompared.filter(({ object }) => object !== "");
    expect({ changes, told }).toEqual({ changes: [], told: [] });
  }
});

it("A Python model with other code is told as not read, with the reason", async () => {
  const { check } = await openDbtWhatIf({ manifest: project("mart", "raw") });
  const { changes, uncompared } = await check({ manifest: project("mart", "raw_2") });
  const message =
    "could not be read: its code is not SQL, and changed; whether it still has `id`, `amount` is not known";
  expect({ changes, uncompared }).toEqual({
    changes: [],
    uncompared: [{ object: "wh.mart.copy", message, unread: "model" }],
  });
});

it("A Python model is told as not read if the last sync had not its code", async () => {
  const { check } = await openDbtWhatIf({ manifest: project("mart", null) });
  const { uncompared } = await check({ manifest: project("mart", "raw") });
  expect(uncompared.map(({ message }) => message)).toEqual([
    "could not be read: its code is not SQL; whether it still has `id`, `amount` is not known",
  ]);
});

it("A manifest without compiled SQL is refused, though one Python model in it is known to be the same", async () => {
  const { check } = await openDbtWhatIf({ manifest: project("mart", "raw") });
  for (const schema of ["mart", "pr_7"]) {
    await expect(check({ manifest: project(schema, "raw", { sql: false }) })).rejects.toThrow(
      "contains no compiled SQL; run dbt compile first",
    );
  }
});
