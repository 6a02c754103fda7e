import { join } from "node:path";

import { defineConfig } from "vitest/config";

// Every process that a test starts compiles the sources once between them. What has changed since is compiled again.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/compiled");

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What a file changes outside of itself it changes back, so the files that a process runs share what it has loaded.
    isolate: false,
    // One core is left idle otherwise, which on a machine with two is half of them.
    maxWorkers: "100%",
    // Node loads the sources itself, as it does in production.
    experimental: { viteModuleRunner: false },
  },
});
