/** Makes an HTTP server listen, knows its URL, and stops it without cutting off running requests at once. */
import { once } from "node:events";
import type { Server, ServerResponse } from "node:http";

import { type AppError, unavailable } from "../errors.ts";
import type { Settings } from "../settings/settings.ts";
import { originOf } from "../settings/origin.ts";

/** Requests that take longer to finish are cut off when the service stops. */
const GRACE_MS = 5_000;

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another process listens there; set PORT to another port",
  EACCES: "this user may not listen there; set PORT to another port",
  EADDRNOTAVAIL: "this machine has no such address; set HOST to another",
  ENOTFOUND: "there is no such host; set HOST to another",
};

export function createListener(server: Server, settings: Settings) {
  const { host, port } = settings;
  /** Kept, because a server that closes has no address, but still answers what it had begun. */
  let origin = settings.publicUrl;
  /**
   * The origin at which clients reach the service. If the settings do not contain it, call this only after `listen`.
   */
  function url(): string {
    if (origin !== null) return origin;
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("The server does not listen yet.");
    return (origin = originOf(settings, address.port));
  }

  let isClosed = false;
  const running = new Set<ServerResponse>();
  server.on("request", (_request, response) => {
    running.add(response);
    response.once("close", () => running.delete(response));
  });

  return {
    url,
    /**
     * @returns `url()`
     * @throws AppError `unavailable` if it cannot listen there, or was closed before it listened
     */
    async listen(): Promise<string> {
      if (isClosed) throw closedEarly();
      server.listen(port, host);
      try {
        await once(server, "listening");
      } catch (error) {
        throw toListenError(error, `${host}:${port}`);
      }
      if (isClosed) {
        server.close();
        throw closedEarly();
      }
      return url();
    },
    async close(): Promise<void> {
      isClosed = true;
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      // These answers close their connections, which would otherwise wait for another request.
      for (const response of running) response.shouldKeepAlive = false;
      const cutOff = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      await closed;
      clearTimeout(cutOff);
    },
  };
}

function closedEarly(): AppError {
  return unavailable("The server was stopped before it listened.");
}

function toListenError(error: unknown, where: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = REASONS[code];
  return reason === undefined ? error : unavailable(`Cannot listen on ${where}: ${reason}.`, error);
}
