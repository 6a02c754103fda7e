/** Serves the metrics on a port of their own, which is not for the public. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import { unavailable } from "../errors.ts";
import type { Metrics } from "./metrics.ts";

export type MetricsServer = ReturnType<typeof createMetricsServer>;

/** `GET /metrics`. There is nothing else here, and no token is needed. */
export function createMetricsServer(metrics: Pick<Metrics, "read">, { host, port }: { host: string; port: number }) {
  const server = createServer((request, response) => void answer(request, response, metrics));
  return {
    /**
     * Returns the URL of the metrics.
     * @throws AppError `unavailable` if it cannot listen there
     */
    async listen(): Promise<string> {
      server.listen(port, host);
      try {
        await once(server, "listening");
      } catch (error) {
        const fix = "set METRICS_PORT or METRICS_HOST to another one";
        throw unavailable(`Cannot listen on ${host}:${port} for metrics: ${fix}.`, error);
      }
      const address = server.address();
      const shownHost = host.includes(":") ? `[${host}]` : host;
      return `http://${shownHost}:${typeof address === "object" ? address?.port : port}/metrics`;
    },
    async close(): Promise<void> {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  metrics: Pick<Metrics, "read">,
): Promise<void> {
  if (url?.split("?")[0] !== "/metrics") response.writeHead(404).end();
  else if (method !== "GET" && method !== "HEAD") response.writeHead(405, { Allow: "GET, HEAD" }).end();
  else {
    const { contentType, text } = await metrics.read();
    response.writeHead(200, { "Content-Type": contentType }).end(text);
  }
}
