/** One connection to a Valkey server. The only file that talks to the driver. */
import { isIP } from "node:net";

import { Redis } from "iovalkey";

import type { ValkeyAddress } from "../../settings/valkey-address.ts";
import { inTime } from "../../work/in-time.ts";
import type { Script } from "./script.ts";

/** At most this much of a server's error goes into the log. */
const MAX_REASON_CHARACTERS = 200;
const LOST = "the connection was closed";
/** What the driver says of commands without a connection. */
const NOT_CONNECTED = /^(Connection is closed|Stream isn't writeable)/;
/** How a server that does not know a command repeats it, with the password if the command is AUTH. */
const QUOTED_COMMAND = /,? with args beginning with:.*$/s;

/**
 * Why the server could not be asked. It has no `cause`, because the driver's errors contain the commands that failed,
 * and so the password.
 */
class ValkeyError extends Error {
  override readonly name = "ValkeyError";
}

export interface Client {
  /**
   * Runs a script, which the server may have to be given first.
   * @throws ValkeyError if it fails, or has not answered in time
   */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>;
  /** Calls back once when the connection is lost. */
  onLost(notify: (reason: string) => void): void;
  /** Ends the connection at once. What is still running fails. */
  close(): void;
}

export interface ClientOptions {
  address: ValkeyAddress;
  /** For the connection, TLS and signing in together. */
  connectMs: number;
  /** For one script. */
  commandMs: number;
}

/** @throws ValkeyError if the server cannot be reached or refuses the credentials */
export async function connectClient({ address, connectMs, commandMs }: ClientOptions): Promise<Client> {
  const { host, port, username, password, database, tls } = address;
  const redis = new Redis({
    host,
    port,
    // Both families, whichever answers.
    family: 0,
    lazyConnect: true,
    connectTimeout: connectMs,
    // `tls` of the driver turns encryption on by being there.
    ...(tls && { tls: isIP(host) === 0 ? { servername: host } : {} }),
    // The link decides when to connect again. Nothing waits in the driver, and nothing is sent twice.
    retryStrategy: () => null,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    enableReadyCheck: false,
    familyFallback: { enabled: false },
  });
  let lastError = LOST;
  redis.on("error", (error: unknown) => {
    lastError = toReason(error);
  });
  async function signIn(): Promise<void> {
    await redis.connect();
    if (password !== null) await (username === null ? redis.auth(password) : redis.auth(username, password));
    if (database !== 0) await redis.select(database);
  }
  try {
    await inTime(signIn(), connectMs);
  } catch (error) {
    redis.disconnect();
    const reason = toReason(error);
    throw new ValkeyError(reason === LOST ? lastError : reason);
  }

  async function evaluate({ lua, sha1 }: Script, rest: (string | number)[], numberOfKeys: number): Promise<unknown> {
    try {
      return await redis.evalsha(sha1, numberOfKeys, ...rest);
    } catch (error) {
      if (!toReason(error).startsWith("NOSCRIPT")) throw error;
      return await redis.eval(lua, numberOfKeys, ...rest);
    }
  }

  return {
    async run(script, keys, args) {
      try {
        return await inTime(evaluate(script, [...keys, ...args], keys.length), commandMs);
      } catch (error) {
        throw new ValkeyError(toReason(error));
      }
    },
    onLost: (notify) => void redis.once("close", () => notify(lastError)),
    close: () => redis.disconnect(),
  };
}

function toReason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = error instanceof Error ? error.message || code : String(error);
  if (NOT_CONNECTED.test(reason)) return LOST;
  return reason.replace(QUOTED_COMMAND, "").slice(0, MAX_REASON_CHARACTERS);
}
