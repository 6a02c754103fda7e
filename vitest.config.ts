import { defineConfig } from "vitest/config";

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
