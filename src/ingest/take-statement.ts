/** Hands one event of a connector to the writer of its scope, or to the list of errors. */
import type { CrawlEvent } from "../connectors/connector.ts";
import type { ErrorList } from "./error-list.ts";
import type { ScopeWriter } from "./scope-writer.ts";

export type StatementEvent = Exclude<CrawlEvent, { kind: "progress" | "state" | "unkept" }>;

export async function takeStatement(
  event: StatementEvent,
  { writer, errors }: { writer: ScopeWriter; errors: Pick<ErrorList, "add"> },
): Promise<void> {
  switch (event.kind) {
    case "begin":
      writer.begin(event.scope);
      break;
    case "asset":
      await writer.asset(event.asset);
      break;
    case "gap":
      writer.gap(event);
      break;
    case "edge":
      writer.edge(event.edge, event.object);
      break;
    case "check":
      writer.check(event.check);
      break;
    case "end":
      await writer.end(event.scope, event.complete);
      break;
    case "error":
      errors.add(event.error);
      break;
  }
}
