/** A server on a free port of this machine, which records its requests. */
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface NotingServer extends AsyncDisposable {
  /** Origin, such as `http://127.0.0.1:49152`. */
  url: string;
  port: number;
  seen: IncomingMessage[];
}

export async function serveHttp(listener: RequestListener, host = "127.0.0.1"): Promise<NotingServer> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    listener(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, host, listening));
  const { port } = server.address() as AddressInfo;
  return {
    seen,
    port,
    url: `http://${host}:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
