/** Our column lineage beside that of sqlglot. Skipped with a message where sqlglot cannot be installed. */
import { existsSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { compareWithSqlglot } from "../../bench/lineage/sqlglot.ts";
import { SQLGLOT } from "../../bench/peers/peers.ts";
import { findPython } from "../support/python.ts";

const FOLDER = join(import.meta.dirname, "../../../shared/data/dbt/colibri_trino");

test(
  "The column lineage of a real project is that of sqlglot, but for a star over an unknown table and what dbt adds to a snapshot",
  {
    timeout: 600_000,
  },
  async ({ skip }) => {
    if (!existsSync(FOLDER)) skip("there is no ../shared/data");
    const { python, missing } = await findPython(SQLGLOT.packages);
    if (python === null) return skip(missing);
    // The SQL of a snapshot has none of the columns that dbt adds to it.
    const added = ["dbt_scd_id <- order_id", "dbt_scd_id <- updated_at", "dbt_updated_at <- updated_at"]
      .concat(["dbt_valid_from <- updated_at", "dbt_valid_to <- updated_at"])
      .map((edge) => `postgresql.public.orders_snapshot.${edge.replace("<- ", "<- postgresql.public.orders.")}`);
    const alias = "postgresql.public.stg_customer_alias.hardcoded_name";
    expect(await compareWithSqlglot(python, FOLDER)).toEqual({
      project: "colibri_trino",
      models: 23,
      errors: [],
      both: 136,
      indirect: 7,
      // No artifact lists the columns of the table. We know them from SQL that names them.
      onlyOurs: [...added, `${alias} <- postgresql.public.customers_hardcoded.name`],
      onlySqlglot: [`${alias} <- public.customers_hardcoded.*`],
    });
  },
);
