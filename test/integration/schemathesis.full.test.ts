/**
 * Schemathesis makes up requests from the OpenAPI document, and compares the answers with it. Skipped with a message where
 * it cannot be installed. `SCHEMATHESIS_SECONDS` lets it go on for longer, and `SCHEMATHESIS_SEED` makes up others.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { MAX_RATE_LIMIT } from "../../src/metadata/records.ts";
import { startApp } from "../support/app.ts";
import { createGraphqlClient } from "../support/graphql-client.ts";
import { findPython } from "../support/python.ts";

const SECONDS = Number(process.env["SCHEMATHESIS_SECONDS"] ?? 60);
const SEED = process.env["SCHEMATHESIS_SEED"] ?? "1";

/**
 * Left out are checks of resources that are made and removed again, and of headers. Whether valid data is accepted is not
 * checked where a request that the document permits depends on what a schema cannot say:
 * - a cursor that the service issued, and `as_of`, `since` and `until` within the history (lists, lineage, changes, metrics);
 * - two fields that exclude each other (`owner` and `unowned`);
 * - the specification of a format: a dbt manifest, a lineage event, a GraphQL document, a message of MCP, and the body of
 *   DataHub's `action`, which is a parameter of the query.
 * GraphQL refuses with 200 and errors. To the router, `batchGet` is also a urn, which is not one.
 */
const CONFIG = `
[checks]
use_after_free.enabled = false
ensure_resource_availability.enabled = false
missing_required_header.enabled = false
ignored_auth.enabled = false

[[operations]]
include-path-regex = "^/api/v1/(catalog|changes|metrics|connectors$|lineage$|lineage/(upstream|downstream|causes|diff|impact))"
checks.positive_data_acceptance.enabled = false

[[operations]]
include-path-regex = "^/(mcp$|datahub/(aspects|entities)$)"
checks.positive_data_acceptance.enabled = false

[[operations]]
include-path-regex = "/batchGet$"
checks.unsupported_method.enabled = false

[[operations]]
include-path = "/graphql"
checks.positive_data_acceptance.enabled = false
checks.negative_data_rejection.enabled = false
`;

test(
  "Every answer to what Schemathesis makes up is as the OpenAPI document says, and what it forbids is refused",
  {
    timeout: 540_000 + 2_000 * SECONDS,
  },
  async ({ skip, onTestFinished }) => {
    const { python, missing } = await findPython(["schemathesis==4.32.5"]);
    if (python === null) return skip(missing);
    const folder = await mkdtemp(join(tmpdir(), "tributary-schemathesis-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const running = await startApp({ sample: true });
    onTestFinished(() => running.close());
    const graphql = createGraphqlClient(running);
    await graphql(`mutation { setRateLimit(input: { perMinute: ${MAX_RATE_LIMIT} }) { __typename } }`);

    const config = join(folder, "schemathesis.toml");
    await writeFile(config, CONFIG);
    const printed = await python.run(
      "st",
      [
        `--config-file=${config}`,
        "run",
        `${running.url}/openapi.json`,
        `--header=Authorization: Bearer ${running.token}`,
        "--phases=examples,fuzzing",
        "--max-examples=1000000",
        `--max-time=${SECONDS}`,
        // Made-up credentials would lock this address out.
        "--exclude-tag=Login",
        "--exclude-path-regex=^/oauth/",
        "--generation-with-security-parameters=false",
        "--generation-database=none",
        // Python 3.11 counts the depth of all threads' syntax trees as one: "AST constructor recursion depth mismatch".
        "--workers=1",
        "--continue-on-failure",
        "--no-shrink",
        "--no-color",
        "--warnings=off",
        `--seed=${SEED}`,
      ],
      { cwd: folder, env: { HOME: folder } },
    );
    const [, count = "0"] = /(\d+) generated/.exec(printed) ?? [];
    expect(printed).toContain("Fuzzing");
    expect(Number(count)).toBeGreaterThan(SECONDS);
  },
);
