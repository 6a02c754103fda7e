/** The job of GitHub Actions in docs/pull-requests.md: its shell script runs unchanged with a real service. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

import { type RunningApp, startApp } from "../support/app.ts";
import { runCommandHere } from "../support/command-line.ts";
import { dropAmount, editShop, type ShopManifest } from "../support/edited-shop.ts";
import { present } from "../support/present.ts";

const PAGE = readFileSync(new URL("../../docs/pull-requests.md", import.meta.url), "utf8");
const job = z.object({
  jobs: z.object({
    impact: z.object({ steps: z.array(z.looseObject({ name: z.string().optional(), run: z.string().optional() })) }),
  }),
});

/** The script of the step that calls the service. */
function scriptOf(page: string): string {
  const [, block] = present(/```yaml\n(# \.github\/workflows\/impact\.yml[^]*?)```/.exec(page));
  const { steps } = job.parse(parse(present(block))).jobs.impact;
  return present(steps.find(({ name }) => name === "Tell what it breaks")?.run);
}

const hasTools = ["bash", "curl", "gzip"].every((tool) => spawnSync(tool, ["--version"]).status === 0);

describe.skipIf(!hasTools)(
  "the job for pull requests, skipped without bash, curl or gzip",
  { timeout: 120_000 },
  () => {
    let running: RunningApp;
    let folder: string;
    beforeAll(async () => {
      running = await startApp({ sample: true });
      await runCommandHere(["connector", "rename", "shop", "warehouse"], { DATA_DIR: running.app.settings.dataDir });
      folder = mkdtempSync(join(tmpdir(), "tributary-pull-request-job-"));
      mkdirSync(join(folder, "target"));
      mkdirSync(join(folder, "bin"));
      // Stands for GitHub's command line: it stores its input.
      writeFileSync(join(folder, "bin/gh"), '#!/bin/sh\necho "$1 $2 $3" > gh.txt\ncat "$5" > comment.md\n');
      chmodSync(join(folder, "bin/gh"), 0o755);
    }, 60_000);
    afterAll(async () => {
      await running.close();
      rmSync(folder, { recursive: true });
    });

    async function runStep(edit: (manifest: ShopManifest) => void, token: string) {
      writeFileSync(join(folder, "target/manifest.json"), editShop(edit));
      const child = spawn("bash", ["-c", scriptOf(PAGE)], {
        cwd: folder,
        stdio: ["ignore", "ignore", "pipe"],
        env: {
          PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
          TRIBUTARY_URL: running.url,
          TRIBUTARY_TOKEN: token,
          PULL_REQUEST: "https://github.example/pull/7",
        },
      });
      let stderr = "";
      child.stderr.on("data", (chunk) => (stderr += chunk));
      const [code] = await once(child, "close");
      return { code, stderr };
    }

    it("The job comments on the pull request, and fails if something breaks", async () => {
      const token = await running.createToken(["read"]);
      expect(await runStep(dropAmount, token)).toEqual({ code: 1, stderr: "" });
      expect(readFileSync(join(folder, "gh.txt"), "utf8")).toBe("pr comment https://github.example/pull/7\n");
      expect(readFileSync(join(folder, "comment.md"), "utf8")).toMatch(
        /^### Impact on `warehouse`\n\n1 change affects /,
      );
    });

    it("The job passes if nothing breaks", async () => {
      const token = await running.createToken(["read"]);
      expect(await runStep(() => {}, token)).toEqual({ code: 0, stderr: "" });
      expect(readFileSync(join(folder, "comment.md"), "utf8")).toMatch(/No change was found\./);
    });

    it("The job fails with the service's own words if the service refuses it", async () => {
      const { code, stderr } = await runStep(() => {}, "svc_live_nobody");
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/"error":"unauthorized"/) });
    });
  },
);
