/** The protocol over standard input and output, for clients that start the server themselves. */
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
} from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";

import { createMcpServer, type McpContext } from "./server.ts";

/** The largest message: the same limit as over HTTP. */
const MAX_MESSAGE_BYTES = 1024 * 1024;

/**
 * A transport that says when it closes: if the output fails, at a message that is too large, or at the end of the input,
 * as soon as all that it has read is answered.
 */
class WatchedTransport extends StdioServerTransport {
  readonly #closed = Promise.withResolvers<void>();
  /** Resolves when the transport is closed. */
  readonly closed = this.#closed.promise;
  /** The requests that were read and are not answered yet. */
  readonly #open = new Set<unknown>();
  #hasEnded = false;

  /** The base would close at once, without an answer to requests that it has read. */
  override _onstdinclose = (): void => {
    this.#hasEnded = true;
    this.#closeAtEnd();
  };

  override start(): Promise<void> {
    const deliver = this.onmessage;
    // The base class has no other way to see its messages.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    this.onmessage = (message) => {
      if (isJSONRPCRequest(message)) this.#open.add(message.id);
      deliver?.(message);
      // A request that was cancelled gets no answer.
      if (isJSONRPCNotification(message) && message.method === "notifications/cancelled")
        this.#settle(message.params?.["requestId"]);
    };
    return super.start();
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    try {
      await super.send(message);
    } finally {
      if (isJSONRPCResponse(message)) this.#settle(message.id);
    }
  }

  override async close(): Promise<void> {
    await super.close();
    this.#closed.resolve();
  }

  #settle(id: unknown): void {
    this.#open.delete(id);
    this.#closeAtEnd();
  }

  #closeAtEnd(): void {
    if (this.#hasEnded && this.#open.size === 0) void this.close();
  }
}

/**
 * Answers until the transport closes, or the process is asked to stop.
 * @param stop resolves when the process is asked to stop
 */
export async function serveOnStdio(context: McpContext, stop: Promise<unknown>): Promise<void> {
  const transport = new WatchedTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
  const handle = serveStdio(() => createMcpServer(context), {
    transport,
    maxSubscriptions: 0,
    onerror: context.report,
  });
  await Promise.race([transport.closed, stop]);
  await handle.close();
}
