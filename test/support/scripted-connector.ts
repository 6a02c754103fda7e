/** A connector that yields the events of a test's script, and short ways to write them. */
import { z } from "zod";

import type { EdgeKind } from "../../src/catalog/edge.ts";
import type { NodeRef } from "../../src/catalog/identity.ts";
import type { AssetStatement } from "../../src/catalog/statement.ts";
import type { ConnectorType, CrawlContext, CrawlEvent, SourceFinding } from "../../src/connectors/connector.ts";
import type { CrawlError } from "../../src/catalog/crawl.ts";
import type { FindConnectorType } from "../../src/ingest/connector-types.ts";

type Script = (context: CrawlContext) => Iterable<CrawlEvent> | AsyncIterable<CrawlEvent>;

interface ScriptedConnector {
  /** The events of the next crawl. */
  script: Script;
  /** The findings of a test of the source. */
  findings: (options: unknown) => SourceFinding[];
  /** The context of each crawl, oldest first. */
  contexts: CrawlContext[];
  find: FindConnectorType;
}

const OPTIONS = z.strictObject({
  manifest: z.string().min(3).optional().describe("Where the manifest is"),
  retries: z.coerce.number().int().optional().describe("How often to try"),
  password: z.string().optional().describe("A secret"),
});

export function createScriptedConnector(estimateSeconds: () => Promise<number> = () => Promise.resolve(7)) {
  const connector: ScriptedConnector = {
    script: () => [],
    findings: () => [],
    contexts: [],
    find: (type) => (type === "scripted" ? scripted : null),
  };
  const scripted: ConnectorType = {
    type: "scripted",
    description: "Says what the test tells it to.",
    precedence: 10,
    lineagePrecedence: 10,
    options: OPTIONS,
    secretOptions: ["password"],
    pull: {
      estimateSeconds,
      test: async (options) => connector.findings(options),
      async *crawl(_options, context) {
        connector.contexts.push(context);
        yield* connector.script(context);
      },
    },
  };
  return connector;
}

export function tableRef(name: string): NodeRef {
  return { platform: "postgres", instance: "", type: "table", parts: ["shop", "public", name] };
}

export function table(
  name: string,
  facts: AssetStatement["facts"] = {},
  columns: readonly string[] = [],
): CrawlEvent & { kind: "asset" } {
  const stated = columns.map((column) => ({ name: column, dataType: "text", description: "", tags: [] }));
  return { kind: "asset", asset: { ref: tableRef(name), name, facts, columns: stated } };
}

export function edge(from: string, to: string, kind: EdgeKind = "derives"): CrawlEvent {
  return { kind: "edge", edge: { from: tableRef(from), to: tableRef(to), kind }, object: `${from}->${to}` };
}

export function scope(name: string, events: readonly CrawlEvent[], complete = true): CrawlEvent[] {
  return [{ kind: "begin", scope: name }, ...events, { kind: "end", scope: name, complete }];
}

export function faultOf(object: string, severity: CrawlError["severity"] = "error"): CrawlEvent {
  const error: CrawlError = {
    code: "missing_reference",
    message: `${object} is not there.`,
    object,
    stage: "resolve",
    severity,
    retryable: false,
  };
  return { kind: "error", error };
}
