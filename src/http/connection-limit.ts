/** Limits the connections of one address, so that one client cannot take them all. */
import type { Server } from "node:http";
import type { Socket } from "node:net";

import type { Logger } from "pino";

import type { Clock } from "../clock.ts";
import { isWithin } from "../addresses/allowlist.ts";
import { toNetworkKey } from "../addresses/address.ts";
import type { SourceFinder } from "../addresses/source-address.ts";

const LOG_EVERY_MS = 60_000;

export interface ConnectionLimitParts {
  maxPerAddress: number;
  /** CIDRs. The connections of proxies are not counted, because a proxy has many clients. */
  trustedProxies: readonly string[];
  findSource: SourceFinder;
  clock: Clock;
  log: Pick<Logger, "warn">;
}

/** Closes a connection beyond the limit at once, without reading from it. An IPv6 address counts with its whole /64. */
export function limitConnections(server: Server, parts: ConnectionLimitParts): void {
  const { maxPerAddress, trustedProxies, findSource } = parts;
  const open = new Map<string, number>();
  const noteRefusal = createRefusalNote(parts);
  // Runs before Node's own listener, which starts the HTTP parser.
  server.prependListener("connection", (socket: Socket) => {
    const source = findSource(socket.remoteAddress, []);
    if (isWithin(source, trustedProxies)) return;
    const key = toNetworkKey(source);
    const others = open.get(key) ?? 0;
    if (others >= maxPerAddress) {
      socket.destroy();
      noteRefusal(source);
      return;
    }
    open.set(key, others + 1);
    socket.once("close", () => {
      const left = (open.get(key) ?? 1) - 1;
      if (left === 0) open.delete(key);
      else open.set(key, left);
    });
  });
}

/** Logs at most one line a minute for all refused addresses together. */
function createRefusalNote({ clock, log }: ConnectionLimitParts): (source: string) => void {
  let refused = 0;
  let loggedAt = -Infinity;
  return (source) => {
    refused += 1;
    const now = clock.steadyMs();
    if (now - loggedAt < LOG_EVERY_MS) return;
    log.warn({ source, refused }, "connections refused: an address holds MAX_CONNECTIONS_PER_ADDRESS of them");
    [refused, loggedAt] = [0, now];
  };
}
