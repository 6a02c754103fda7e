/** How the last run of a recipe ended, as DataHub's client reports it. */
import { z } from "zod";

import type { AspectRow } from "../../catalog/aspect.ts";
import { excerpt } from "../../characters.ts";
import { parsingJson } from "../../work/json-values.ts";
import type { CrawlEvent } from "../connector.ts";
import { errorEvent, warningEvent } from "../faults.ts";
import type { Pause } from "../pacing.ts";
import { lenient, lenientText } from "../shapes.ts";
import type { AspectName } from "./aspects.ts";
import { toEntities, withPausesIn } from "./entity.ts";

export const RUN_RESULT = "dataHubExecutionRequestResult" satisfies AspectName;

const MAX_VALUES = 100_000;
const MAX_REASONS = 3;
const MAX_REASON = 300;

/** An entry is a text if it says that others are left out. */
const failure = z.union([
  z.string(),
  z
    .object({ title: lenientText, message: lenientText, context: lenient(z.array(z.string()), []) })
    .transform(({ title, message, context: [context = ""] }) =>
      [title, message, context].filter((part) => part !== "").join(": "),
    ),
]);
const failures = lenient(z.object({ report: z.object({ failures: z.array(z.unknown()) }) }), {
  report: { failures: [] },
});
const report = z.object({ source: failures, sink: failures });

/** @param row the newest result; null if none came */
export function* stateRecipeRun(row: AspectRow | null): Generator<CrawlEvent | Pause> {
  for (const entity of row === null ? [] : toEntities([row])) {
    yield null;
    const { status = "", structuredReport } = entity?.aspects.dataHubExecutionRequestResult ?? {};
    const object = entity?.urn ?? "";
    if (status === "CANCELLED") {
      const message = "The last run of the recipe was cancelled, so not all that the source has may have come.";
      yield warningEvent({ code: "recipe_cancelled", message, object, stage: "read" });
    }
    if (status !== "FAILURE" && status !== "UNKNOWN") continue;
    const reasons = yield* readingReasons(structuredReport?.serializedValue ?? "");
    const message = `The last run of the recipe failed: ${reasons.join("; ") || "its report gives no reason"}`;
    yield errorEvent({ code: "recipe_failed", message, object, stage: "read" });
  }
}

function* readingReasons(text: string): Generator<Pause, string[]> {
  try {
    const { source, sink } = report.parse(yield* withPausesIn(parsingJson(text, { maxValues: MAX_VALUES })));
    return [...source.report.failures, ...sink.report.failures].slice(0, MAX_REASONS).flatMap((each) => {
      const { data = "" } = failure.safeParse(each);
      return data === "" ? [] : [excerpt(data, MAX_REASON)];
    });
  } catch {
    return [];
  }
}
