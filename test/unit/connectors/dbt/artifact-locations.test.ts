/** Everyone who may read the catalog may read the errors of a sync. Those must reveal nothing about the machine. */
import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { CrawlFailure } from "../../../../src/connectors/connector.ts";
import type { CrawlError } from "../../../../src/catalog/crawl.ts";
import { createDbtConnector } from "../../../../src/connectors/dbt/connector.ts";
import { manifest } from "./project.ts";

const ARTIFACTS = ["manifest", "catalog", "semantic_manifest"] as const;
const NETWORK = {
  idleTimeoutMs: 20_000,
  leastBytesPerIdle: 1,
  totalTimeoutMs: 20_000,
  retryDelaysMs: [],
  maxBytes: 1_000_000,
  privateSources: ["127.0.0.0/8"],
  insecureHosts: [],
};

async function errorsOf(options: Record<string, string>): Promise<CrawlError[]> {
  const connector = createDbtConnector(NETWORK);
  const context = { mode: "full", previousState: null, now: () => new Date(0) } as const;
  const errors: CrawlError[] = [];
  try {
    const { signal } = new AbortController();
    for await (const event of connector.pull.crawl(connector.options.parse(options), { ...context, signal })) {
      if (event.kind === "error") errors.push(event.error);
    }
  } catch (error) {
    if (!(error instanceof CrawlFailure)) throw error;
    errors.push(error.error);
  }
  return errors;
}

describe.each(ARTIFACTS)("Errors about the %s", (artifact) => {
  test.each([
    ["which does not exist", null],
    ["which is a directory", "directory"],
    ["which is cut off", '{"metadata":{'],
    [
      "which is another kind of artifact",
      '{"metadata":{"dbt_schema_version":"https://intranet.example/dbt/run-results/v6.json"}}',
    ],
    ["which has another version", JSON.stringify(manifest({ metrics: undefined, semantic_models: undefined }, 9))],
    ["at a URL without a server", "url"],
  ])(
    "An error about an artifact %s names the artifact in its text, and the location only in its own field",
    async (_, content) => {
      await using folder = await mkdtempDisposable(join(tmpdir(), "private-folder-"));
      const whole = join(folder.path, "whole.json");
      const location = content === "url" ? "http://127.0.0.1:1/private-folder/x.json" : join(folder.path, "x.json");
      await writeFile(whole, JSON.stringify(manifest()));
      if (content === "directory") await mkdir(location);
      else if (content !== null && content !== "url") await writeFile(location, content);

      const errors = await errorsOf({ manifest: whole, [artifact]: location });
      expect(errors).toMatchObject([{ object: `${artifact}.json`, location, severity: "error" }]);
      for (const { message, object } of errors) {
        expect(message).toMatch(new RegExp(`^${artifact}\\.json `));
        expect(message + object).not.toMatch(/private-folder|:\/\/|127\.0\.0\.1|intranet|(^|\s)\//);
      }
    },
  );
});
