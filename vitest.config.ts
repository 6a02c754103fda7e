import { join } from "node:path";

import { defineConfig } from "vitest/config";

// Each file of tests has a process of its own, and so has each command that is started: they compile the sources once
// between them. What has changed since is compiled again.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/compiled");

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // One core is left idle otherwise, which on a machine with two is half of them.
    maxWorkers: "100%",
    // Node loads the sources itself, as it does in production.
    experimental: { viteModuleRunner: false },
  },
});
