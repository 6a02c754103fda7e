/** A collector that receives traces as JSON, and stores them. */
import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

import { onTestFinished } from "vitest";

interface TakenSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code: number };
  /** The attributes by their keys. */
  values: Record<string, string>;
}

export interface OtlpServer {
  url: string;
  spans: TakenSpan[];
  /** One entry for each request. */
  requests: { path: string | undefined; apiKey: unknown; service: unknown }[];
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: string };
}

const toValues = (attributes: readonly Attribute[]): Record<string, string> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? ""]));

/** Ends with the test. */
export async function startOtlpServer(): Promise<OtlpServer> {
  const taken: Pick<OtlpServer, "spans" | "requests"> = { spans: [], requests: [] };
  const server = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as {
      resourceSpans: {
        resource: { attributes: Attribute[] };
        scopeSpans: { spans: (TakenSpan & { attributes: Attribute[] })[] }[];
      }[];
    };
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = toValues(resource.attributes)["service.name"];
      taken.requests.push({ path: request.url, apiKey: request.headers["x-api-key"], service });
      for (const { spans } of scopeSpans) {
        for (const span of spans) taken.spans.push(Object.assign(span, { values: toValues(span.attributes) }));
      }
    }
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`, ...taken };
}
