/**
 * Runs the commands of the Dockerfile one after the other, in a clean folder and as a user who is not root. Only `npm
 * ci` is not run, because it needs the registry; the installed packages are used instead.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";

import { readContext, valuesOf } from "../support/dockerfile.ts";
import { findFreePort } from "../support/free-port.ts";
import { waitUntil } from "../support/shell-server.ts";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const IS_ROOT = process.getuid?.() === 0;
/** The user `node` of the image. Without root's rights, this is the current user. */
const UID = IS_ROOT ? 1000 : (process.getuid?.() ?? 0);
const GID = IS_ROOT ? 1000 : (process.getgid?.() ?? 0);

let root: string;
let env: Record<string, string>;
let port: number;

/** Folders of the image, and the folders that stand for them here. */
const here = (text: string): string => text.replaceAll(/(?<![\w./])\/(app|data)\b/g, (path) => join(root, path));
const commandOf = (value: string): [string, ...string[]] => JSON.parse(value.slice(value.indexOf("[")));
const asUser = () => ({ cwd: join(root, "app"), env, ...(IS_ROOT && { uid: UID, gid: GID }) });

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "tributary-image-"));
  chmodSync(root, 0o755);
  const app = here(valuesOf("WORKDIR").join());
  mkdirSync(app);
  for (const path of readContext()) cpSync(join(PROJECT, path), join(app, path), { recursive: true });
  for (const command of valuesOf("RUN")) {
    if (command.startsWith("npm ci ")) symlinkSync(join(PROJECT, "node_modules"), join(app, "node_modules"));
    else execFileSync("sh", ["-c", here(command).replaceAll(/\bnode:node\b/g, `${UID}:${GID}`)], { cwd: app });
  }
  port = await findFreePort();
  const given = valuesOf("ENV").flatMap((value) => value.split(" ").map((each) => here(each).split("=")));
  env = { ...Object.fromEntries(given), PATH: `${join(PROJECT, "node_modules/.bin")}:/usr/bin:/bin` };
});
afterAll(() => rmSync(root, { recursive: true }));

const isAlive = async (): Promise<boolean> =>
  (await fetch(`http://127.0.0.1:${port}/health/live`).catch(() => null))?.ok ?? false;

describe("the image", () => {
  it("The image's command serves, reports its health, and stops when Docker asks it to", async () => {
    expect(env).toMatchObject({ PORT: "8080", DATA_DIR: join(root, "data") });
    // Another port, because tests run side by side.
    env["PORT"] = String(port);
    const [check, ...checkArgs] = commandOf(valuesOf("HEALTHCHECK").join());
    const askHealth = () => spawnSync(check, checkArgs, asUser()).status;
    expect(askHealth()).toBe(1);

    const [program, ...args] = commandOf(valuesOf("CMD").join());
    const server = spawn(program, args, { ...asUser(), stdio: "ignore" });
    const ended = once(server, "exit");
    await waitUntil(async () => server.exitCode !== null || (await isAlive()));
    try {
      expect(server.exitCode).toBeNull();
      expect(askHealth()).toBe(0);
      const answer = await fetch(`http://127.0.0.1:${port}/health`);
      expect(await answer.json()).toMatchObject({ status: "ok" });
      // The user may not write to the program's folder, so the workspace UI was built before.
      const page = await fetch(`http://127.0.0.1:${port}/`);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root">')]);
      expect(statSync(join(root, "data")).mode & 0o777).toBe(0o700);
      expect(statSync(join(root, "data/secret.key"))).toMatchObject({ uid: UID });
    } finally {
      server.kill("SIGTERM");
    }
    expect(await ended).toEqual([0, null]);
  });

  it("The image runs the command line, as the compose file says", () => {
    const told = readFileSync(join(PROJECT, "docker-compose.yml"), "utf8");
    const [line = ""] = /(?<=docker compose exec tributary ).*key create.*/.exec(told) ?? [];
    const [program = "", ...args] = line.split(" ");
    expect(execFileSync(program, args, { ...asUser(), encoding: "utf8" })).toMatch(/^svc_live_[A-Za-z0-9]{32}\n$/);
  });

  it("The compose file builds the image, with the data folder on a volume", () => {
    const { services } = parse(readFileSync(join(PROJECT, "docker-compose.yml"), "utf8"));
    const [folder = ""] = valuesOf("VOLUME");
    expect(services.tributary.volumes).toContainEqual(`tributary-data:${folder}`);
  });
});
