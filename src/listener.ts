/** An HTTP server that is told where to listen, says how it is reached, and stops with good grace. */
import { once } from "node:events";
import type { Server, ServerResponse } from "node:http";
import { isIPv6 } from "node:net";

import { unavailable } from "./errors.ts";
import type { Settings } from "./settings.ts";

/** Requests that take longer to finish are cut off when the service stops. */
const GRACE_MS = 5_000;

export interface Listener {
  /** Answers `url()`. @throws AppError `unavailable`, saying why it cannot listen there */
  listen(): Promise<string>;
  /** The origin by which clients reach the service; known once it listens, where the settings do not state it. */
  url(): string;
  close(): Promise<void>;
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another process listens there; PORT names another port",
  EACCES: "this user may not listen there; PORT names another port",
  EADDRNOTAVAIL: "this machine has no such address; HOST names another",
  ENOTFOUND: "there is no such host; HOST names another",
};

export function createListener(server: Server, { host, port, publicUrl }: Settings): Listener {
  function url(): string {
    if (publicUrl !== null) return publicUrl;
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("The server does not listen yet.");
    return `http://${toUrlHost(host)}:${address.port}`;
  }

  const underWay = new Set<ServerResponse>();
  server.on("request", (_request, response) => {
    underWay.add(response);
    response.once("close", () => underWay.delete(response));
  });

  return {
    url,
    async listen() {
      server.listen(port, host);
      try {
        await once(server, "listening");
      } catch (error) {
        throw toListenError(error, `${host}:${port}`);
      }
      return url();
    },
    async close() {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      // They close their connections, which would otherwise wait for a next request.
      for (const response of underWay) response.shouldKeepAlive = false;
      const cutOff = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      await closed;
      clearTimeout(cutOff);
    },
  };
}

/** As it stands in a URL; a host that means every address is reached as this machine. */
function toUrlHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return isIPv6(host) ? `[${host}]` : host;
}

function toListenError(error: unknown, where: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = REASONS[code];
  return reason === undefined ? error : unavailable(`Cannot listen on ${where}: ${reason}.`, error);
}
