/** Answers a report in the format that the client accepts, with a header that says whether it failed. */
import { z } from "zod";

import type { Answers } from "../http/answer/answers.ts";
import type { Route } from "./route.ts";
import type { RestContext } from "../http/state.ts";

const MARKDOWN_TYPE = "text/markdown";

const asJson = z.object({ failed: z.boolean(), json: z.custom<object>((value) => typeof value === "object") });
const asMarkdown = z.object({ failed: z.boolean(), markdown: z.string() });

interface Sending {
  answers: Answers;
  /** The operation for JSON. */
  operation: string;
  /** Runs one of the route's operations and returns the value of its root field. */
  run: (operation: string) => Promise<unknown>;
}

/** A client that accepts neither format gets JSON. */
export async function sendReport(
  ctx: RestContext,
  { markdown, verdict }: NonNullable<Route["report"]>,
  { answers, operation, run }: Sending,
): Promise<void> {
  const setVerdict = (failed: boolean): void => ctx.set(verdict.header, failed ? "fail" : "pass");
  if (ctx.accepts("application/json", MARKDOWN_TYPE) === MARKDOWN_TYPE) {
    const report = asMarkdown.parse(await run(markdown.operation));
    setVerdict(report.failed);
    ctx.set("Content-Type", `${MARKDOWN_TYPE}; charset=utf-8`);
    ctx.body = report.markdown;
  } else {
    const report = asJson.parse(await run(operation));
    setVerdict(report.failed);
    ctx.status = 200;
    await answers.sendValue(ctx, report.json);
  }
}
