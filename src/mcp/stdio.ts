/** The protocol over standard input and output, for clients that start the server themselves. */
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";

import { createMcpServer, type McpContext } from "./server.ts";

/** The largest message: the same limit as over HTTP. */
const MAX_MESSAGE_BYTES = 1024 * 1024;

/** A transport that says when it closes: at the end of the input, if the output fails, or at a message that is too large. */
class WatchedTransport extends StdioServerTransport {
  readonly #closed = Promise.withResolvers<void>();
  /** Resolves when the transport is closed. */
  readonly closed = this.#closed.promise;

  override async close(): Promise<void> {
    await super.close();
    this.#closed.resolve();
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
