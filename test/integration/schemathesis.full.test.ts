/**
 * Schemathesis makes up requests from the OpenAPI document, and compares the answers with it. Skipped with a message where
 * it cannot be installed. `SCHEMATHESIS_SECONDS` lets it go on for longer, and `SCHEMATHESIS_SEED` repeats a run.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { MAX_RATE_LIMIT } from "../../src/metadata/records.ts";
import { startApp } from "../support/app.ts";
import { createGraphqlClient } from "../support/graphql-client.ts";
import { findPython } from "../support/python.ts";

const SECONDS = Number(process.env["SCHEMATHESIS_SECONDS"] ?? 60);
const SEED = process.env["SCHEMATHESIS_SEED"];

/** An answer must be as the document says. Whether a request must be refused, it often does not say. */
const CHECKS = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
];

test(
  "Every answer to what Schemathesis makes up is as the OpenAPI document says, and none is a fault of the service",
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

    const printed = await python.run(
      "st",
      [
        "run",
        `${running.url}/openapi.json`,
        `--header=Authorization: Bearer ${running.token}`,
        `--checks=${CHECKS.join(",")}`,
        "--phases=examples,fuzzing",
        "--max-examples=1000000",
        `--max-time=${SECONDS}`,
        // Made-up credentials would lock this address out.
        "--exclude-tag=Login",
        "--exclude-path-regex=^/oauth/",
        "--generation-with-security-parameters=false",
        "--generation-database=none",
        "--workers=2",
        "--continue-on-failure",
        "--no-shrink",
        "--no-color",
        "--warnings=off",
        ...(SEED === undefined ? [] : [`--seed=${SEED}`]),
      ],
      { cwd: folder, env: { HOME: folder } },
    );
    const [, count = "0"] = /(\d+) generated/.exec(printed) ?? [];
    expect(printed).toContain("Fuzzing");
    expect(Number(count)).toBeGreaterThan(SECONDS);
  },
);
