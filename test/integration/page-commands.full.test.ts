/**
 * Runs the commands of the pages against a real service: each block of code marked `sh`, from top to bottom. A block
 * marked `text` after one shows lines of its output, whole or up to a final `…`. A block marked `shell` is not run: it
 * installs something, starts something that does not end, or contains a placeholder.
 */
import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { promisify } from "node:util";

import type { Tokens } from "marked";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type RunningApp, startApp } from "../support/app.ts";
import { runCommandHere } from "../support/command-line.ts";
import { findCodeBlocks, readPages, ROOT } from "../support/pages.ts";

const run = promisify(execFile);
/** Only pages for users. The README comes last, because it adds a second connector of the same project. */
const pages = readPages()
  .filter(({ path }) => path === "README.md" || path.startsWith("docs/"))
  .map((page) => ({ path: page.path, blocks: findCodeBlocks(page) }))
  .filter(({ blocks }) => blocks.some(({ lang }) => lang === "sh"))
  .toReversed();

const hasTools = ["bash", "curl", "gzip", "jq"].every((tool) => spawnSync(tool, ["--version"]).status === 0);

/**
 * A refusal by REST or GraphQL, or an error of a sync at any position in the list. A warning of a sync is not an error,
 * because a page may add a second connector of one project.
 */
const ERROR = /"error":|"errors":\s*\[\s*\{(?![^}]*"severity":\s*"warning")|"severity":\s*"error"/;

/**
 * `npx tributary` of a checkout, for the service in `TRIBUTARY_URL` if the shell has it. The command runs in the
 * process of the tests, which is faster. Other tests check that the package's command does the same.
 */
const NPX = `#!/bin/sh
shift
said=$(mktemp)
code=$(printf '%s\\0' "$@" | curl -s -o "$said" -w '%{http_code}' -H "Service: \${TRIBUTARY_URL-}" --data-binary @- "$COMMANDS")
cat "$said"
rm "$said"
exit $((code - 200))
`;

/** The folder of the reader's dbt project. */
const PROJECT = "/path/to/your/project";

/** Runs commands in the folder, one after the other. The status is 200 and the exit code. */
async function serveCommands(
  settings: () => { folder: string; env: Record<string, string> },
): Promise<{ url: string; close: () => Promise<void> }> {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const args = (await readText(request)).split("\0").slice(0, -1);
    const { folder, env } = settings();
    const before = process.cwd();
    process.chdir(folder);
    const server = String(request.headers["service"] ?? "");
    const { code, stdout } = await runCommandHere(args, { ...env, ...(server !== "" && { TRIBUTARY_URL: server }) });
    process.chdir(before);
    response.writeHead(200 + (code ?? 1), { Connection: "close" }).end(stdout);
  }
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const close = async (): Promise<void> => {
    server.close();
    await once(server, "close");
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

const squeeze = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

const block = (lang: string, text: string): Tokens.Code => ({ type: "code", raw: text, lang, text });

/** Lines that the page shows and that were not printed. */
function missingLines(shown: string, output: string): string[] {
  const printed = output.split("\n").map(squeeze);
  return shown.split("\n").filter((line) => {
    const [start = ""] = squeeze(line).split(/ ?…$/);
    return !printed.some((each) => (line.endsWith("…") ? each.startsWith(start) : each === start));
  });
}

describe.skipIf(!hasTools)(
  "the commands of the pages, skipped without bash, curl, gzip or jq",
  { timeout: 300_000 },
  () => {
    let running: RunningApp;
    let commands: { url: string; close: () => Promise<void> };
    let folder: string;
    beforeAll(async () => {
      running = await startApp({ sample: true });
      folder = mkdtempSync(join(tmpdir(), "tributary-pages-"));
      mkdirSync(join(folder, "target"));
      for (const name of ["manifest.json", "catalog.json"]) {
        copyFileSync(`${ROOT}samples/shop/${name}`, join(folder, "target", name));
      }
      mkdirSync(join(folder, "bin"));
      writeFileSync(join(folder, "bin/npx"), NPX);
      chmodSync(join(folder, "bin/npx"), 0o755);
      commands = await serveCommands(() => ({
        folder,
        env: { DATA_DIR: running.app.settings.dataDir, TRIBUTARY_TOKEN: running.token },
      }));
    });
    afterAll(async () => {
      await running.close();
      await commands.close();
      rmSync(folder, { recursive: true });
    });

    async function runBlock(script: string): Promise<string> {
      const env = {
        PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
        COMMANDS: commands.url,
        TRIBUTARY_URL: running.url,
        TRIBUTARY_TOKEN: running.token,
      };
      const { stdout } = await run("bash", ["-euo", "pipefail", "-c", script.replaceAll(PROJECT, folder)], {
        cwd: folder,
        env,
      });
      return stdout;
    }

    /** The faults of a page: errors that its commands print, and lines that it shows and they do not print. */
    async function faultsOf(blocks: readonly Tokens.Code[]): Promise<string[]> {
      const faults: string[] = [];
      let output = "";
      for (const { lang, text } of blocks) {
        if (lang === "text") faults.push(...missingLines(text, output));
        if (lang !== "sh") continue;
        output = await runBlock(text);
        if (ERROR.test(output)) faults.push(output);
      }
      return faults;
    }

    it.each(pages)("The commands of $path work, and print what is shown", async ({ blocks }) => {
      expect(await faultsOf(blocks)).toEqual([]);
    });

    it.each([
      ['{"errors":[{"severity":"warning"},{"severity":"error"}]}', true],
      ['{"errors":[{"message":"no such field"}]}', true],
      ['{"errors":[{"code":"lineage_of_another","severity":"warning"}]}', false],
    ])("The output %s counts as an error: %s", (output, isError) => {
      expect(ERROR.test(output)).toBe(isError);
    });

    it("The commands of the pages are told apart by what they print", async () => {
      expect(await faultsOf([block("sh", "echo '{\"error\":1}'"), block("text", "2")])).toEqual(['{"error":1}\n', "2"]);
      expect(missingLines("a  b\nc …\nd", "a b\nc and more\n")).toEqual(["d"]);
    });
  },
);
