/**
 * A bare node:http server that stringifies a given body for a given path. It is the lower limit for any service.
 * Runs as a child process: its first message is its origin, and it accepts `{ path, body }` messages.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const answers = new Map<string, unknown>();

process.on("message", ({ path, body }: { path: string; body: unknown }) => {
  answers.set(path, body);
  process.send?.({ ready: path });
});

const server = createServer((request, response) => {
  const text = JSON.stringify(answers.get(request.url ?? ""));
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.end(text);
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ origin: `http://127.0.0.1:${port}` });
});
process.once("disconnect", () => process.exit());
