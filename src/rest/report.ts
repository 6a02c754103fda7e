/** Answers a report in the format that the client accepts, with headers that say whether it failed, found anything and compared all. */
import { z } from "zod";

import type { Answers } from "../http/answer/answers.ts";
import type { Route } from "./route.ts";
import type { RestContext } from "../http/state.ts";

const MARKDOWN_TYPE = "text/markdown";

const flags = { failed: z.boolean(), isEmpty: z.boolean(), isPartial: z.boolean() };
const asJson = z.object({ ...flags, json: z.custom<object>((value) => typeof value === "object") });
const asMarkdown = z.object({ ...flags, markdown: z.string() });

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
  { markdown, headers }: NonNullable<Route["report"]>,
  { answers, operation, run }: Sending,
): Promise<void> {
  const setHeaders = (report: Record<(typeof headers)[number]["field"], boolean>): void => {
    for (const { name, field, words } of headers) ctx.set(name, words[report[field] ? 0 : 1]);
  };
  if (ctx.accepts("application/json", MARKDOWN_TYPE) === MARKDOWN_TYPE) {
    const report = asMarkdown.parse(await run(markdown.operation));
    setHeaders(report);
    ctx.set("Content-Type", `${MARKDOWN_TYPE}; charset=utf-8`);
    ctx.body = report.markdown;
  } else {
    const report = asJson.parse(await run(operation));
    setHeaders(report);
    ctx.status = 200;
    await answers.sendValue(ctx, report.json);
  }
}
