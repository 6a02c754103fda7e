/**
 * `npm run dev`: the service, which restarts when a source of it changes, and the workspace UI from its sources, which
 * changes in the browser as they do. The UI's server passes on what it does not know to the service.
 */
import { spawn } from "node:child_process";

import react from "@vitejs/plugin-react";
import { createServer } from "vite";

import { PROJECT } from "./places.ts";
import { SHARED_OPTIONS } from "./options.ts";

const SERVICE = "http://127.0.0.1:8080";
/** What the service answers. Everything else is a page of the UI or one of its sources. */
const OF_THE_SERVICE = [
  "/api",
  "/auth",
  "/docs",
  "/graphql",
  "/health",
  "/mcp",
  "/oauth",
  "/openapi.json",
  "/.well-known",
];

const service = spawn(process.execPath, ["--watch", "bin/tributary.js", "serve", "--without-ui"], {
  cwd: PROJECT,
  stdio: "inherit",
});
// A browser names the UI's server as the origin of its requests; the service knows its own origin only.
const toService = { target: SERVICE, changeOrigin: true, headers: { origin: SERVICE } };
const server = await createServer({
  ...SHARED_OPTIONS,
  plugins: [react()],
  server: { port: 5173, proxy: Object.fromEntries(OF_THE_SERVICE.map((path) => [path, toService])) },
});
await server.listen();
server.printUrls();
service.once("exit", async (code) => {
  await server.close();
  process.exitCode = code ?? 0;
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => service.kill(signal));
