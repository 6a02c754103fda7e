import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFull } from "../support/depth.ts";

import { systemRandom } from "../../src/clock.ts";
import { type DataFolder, openDataFolder } from "../../src/data-folder/folder.ts";
import { readOrMakeSecretKey } from "../../src/data-folder/secret-key.ts";
import { becomeServer, isServerRunning, shareFolder } from "../../src/data-folder/server-lock.ts";
import { findServerUrl, noteServerUrl } from "../../src/data-folder/server-url.ts";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "tributary-folder-"));
});
afterAll(() => rmSync(root, { recursive: true }));

const freshFolder = (name: string): DataFolder => openDataFolder(join(root, name));
const modeOf = (path: string): number => statSync(path).mode & 0o777;

/** Runs module code in another process, with the modules under test, and returns its output. */
async function runElsewhere(code: string): Promise<string> {
  const source = ["clock", "data-folder/folder", "data-folder/secret-key", "data-folder/server-lock"]
    .map(
      (name) => `import * as ${name.replaceAll(/\W\w/g, (found) => found.slice(1).toUpperCase())} from
      ${JSON.stringify(new URL(`../../src/${name}.ts`, import.meta.url).href)};`,
    )
    .join("\n");
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", `${source}\n${code}`]);
  return stdout;
}

describe("openDataFolder", () => {
  it("openDataFolder creates the folder and its parents, for its owner alone", () => {
    const { path } = freshFolder("made/below");
    expect([modeOf(path), modeOf(join(root, "made"))]).toEqual([0o700, 0o700]);
  });

  it("openDataFolder says that the path is a file, or lies below one", () => {
    writeFileSync(join(root, "file"), "");
    expect(() => freshFolder("file")).toThrow(/data folder .* is a file\./);
    expect(() => freshFolder("file/below")).toThrow(/a part of the path is a file\./);
  });

  it("openDataFolder closes a folder and its files that others could read, such as a restored backup", () => {
    const path = join(root, "restored");
    mkdirSync(path);
    chmodSync(path, 0o755);
    for (const name of ["metadata.sqlite", "metadata.sqlite-wal", "secret.key"]) {
      writeFileSync(join(path, name), "", { mode: 0o644 });
    }
    expect(openDataFolder(path).isOpenToOthers).toBe(false);
    expect(modeOf(path)).toBe(0o700);
    expect(readdirSync(path).map((name) => modeOf(join(path, name)))).toEqual([0o600, 0o600, 0o600]);
  });

  it("openDataFolder leaves a folder with other things open, says so, and closes its own files there", () => {
    const path = join(root, "shared");
    mkdirSync(path);
    chmodSync(path, 0o755);
    writeFileSync(join(path, "notes.txt"), "", { mode: 0o644 });
    writeFileSync(join(path, "secret.key"), "", { mode: 0o644 });
    expect(openDataFolder(path).isOpenToOthers).toBe(true);
    expect([path, join(path, "notes.txt"), join(path, "secret.key")].map(modeOf)).toEqual([0o755, 0o644, 0o600]);
  });

  it.runIf(process.platform === "linux")("openDataFolder says that nothing can be written there", () => {
    expect(() => openDataFolder("/proc/tributary")).toThrow(/^The data folder \/proc\/tributary cannot be used/);
  });

  it.skipIf(process.getuid?.() === 0)("openDataFolder says that this user may not write there", () => {
    mkdirSync(join(root, "locked"), { mode: 0o500 });
    expect(() => freshFolder("locked")).toThrow(/this user may not write there\./);
  });
});

describe("readOrMakeSecretKey", () => {
  it("readOrMakeSecretKey creates a key once, for its owner alone, and leaves nothing else behind", () => {
    const folder = freshFolder("key");
    const key = readOrMakeSecretKey(folder, systemRandom);
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(readOrMakeSecretKey(folder, systemRandom)).toBe(key);
    expect(modeOf(folder.secretKey)).toBe(0o600);
    expect(readdirSync(folder.path)).toEqual(["secret.key"]);
  });

  it("readOrMakeSecretKey gives several processes at once the same key", async () => {
    const folder = JSON.stringify(join(root, "race"));
    const make = `console.log(dataFolderSecretKey.readOrMakeSecretKey(dataFolderFolder.openDataFolder(${folder}), clock.systemRandom))`;
    const keys = await Promise.all([make, make, make, make].map(runElsewhere));
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toBe(readFileSync(join(root, "race", "secret.key"), "utf8"));
  });

  it("readOrMakeSecretKey refuses a key that was cut short", () => {
    const folder = freshFolder("short-key");
    writeFileSync(folder.secretKey, "abc\n");
    expect(() => readOrMakeSecretKey(folder, systemRandom)).toThrow(/secret\.key is damaged/);
  });

  it("readOrMakeSecretKey creates no new key beside data that another key encrypted", () => {
    const folder = freshFolder("lost-key");
    writeFileSync(folder.metadata, "");
    expect(() => readOrMakeSecretKey(folder, systemRandom)).toThrow(/secret\.key is missing/);
  });
});

describe("the server's address in the data folder", () => {
  it("The server's address is found while the server runs, and not after it was killed", () => {
    const folder = freshFolder("address");
    const lock = becomeServer(folder);
    expect(findServerUrl(folder)).toBeNull();
    const forget = noteServerUrl(folder, "http://127.0.0.1:9000");
    expect([findServerUrl(folder), modeOf(folder.serverUrl)]).toEqual(["http://127.0.0.1:9000", 0o600]);
    lock.release();
    expect(findServerUrl(folder)).toBeNull();
    chmodSync(folder.path, 0o755);
    expect(openDataFolder(folder.path).isOpenToOthers).toBe(false);
    forget();
    expect(readdirSync(folder.path)).toEqual(["server.lock"]);
  });
});

describe("becomeServer", () => {
  it("becomeServer refuses a second server, in this process and in another, until the first one stops", async () => {
    const folder = freshFolder("server");
    const ask = `
      const folder = dataFolderFolder.openDataFolder(${JSON.stringify(folder.path)});
      console.log(dataFolderServerLock.isServerRunning(folder));
      try { dataFolderServerLock.becomeServer(folder).release(); } catch (error) { console.log(error.message); }`;
    expect(isServerRunning(folder)).toBe(false);
    const lock = becomeServer(folder);
    expect(isServerRunning(folder)).toBe(true);
    expect(() => becomeServer(folder)).toThrow(/Another Tributary server uses the data folder/);
    expect(await runElsewhere(ask)).toMatch(/^true\nAnother Tributary server uses the data folder/);
    lock.release();
    expect(await runElsewhere(ask)).toBe("false\n");
    expect(isServerRunning(folder)).toBe(false);
  });

  it.runIf(isFull)(
    "becomeServer and servers that share a folder refuse each other, in this process and in another",
    async () => {
      const folder = freshFolder("shared-by-servers");
      const ask = (name: string) => `
      const folder = dataFolderFolder.openDataFolder(${JSON.stringify(folder.path)});
      try { dataFolderServerLock.${name}(folder).release(); console.log("taken"); } catch (error) { console.log(error.message); }`;
      const [one, other] = [shareFolder(folder), shareFolder(folder)];
      expect(await runElsewhere(ask("shareFolder"))).toBe("taken\n");
      expect(isServerRunning(folder)).toBe(false);
      one.release();
      expect(() => becomeServer(folder)).toThrow(/Another Tributary server uses the data folder/);
      expect(await runElsewhere(ask("becomeServer"))).toMatch(/^Another Tributary server uses the data folder/);
      other.release();
      const lock = becomeServer(folder);
      expect(() => shareFolder(folder)).toThrow(/A Tributary server with METADATA_URL=sqlite: uses the data folder/);
      expect(await runElsewhere(ask("shareFolder"))).toMatch(/^A Tributary server with METADATA_URL=sqlite:/);
      lock.release();
    },
  );

  it("The data folder is free again after its server was killed", async () => {
    const path = join(root, "dies");
    const die = `
      globalThis.lock = dataFolderServerLock.becomeServer(dataFolderFolder.openDataFolder(${JSON.stringify(path)}));
      process.kill(process.pid, "SIGKILL");`;
    await expect(runElsewhere(die)).rejects.toMatchObject({ signal: "SIGKILL" });
    expect(isServerRunning(openDataFolder(path))).toBe(false);
  });

  it("becomeServer refuses a lock file that is something else", () => {
    const folder = freshFolder("odd");
    writeFileSync(folder.serverLock, "no database, but long enough to look like one at first sight\n".repeat(20));
    expect(() => becomeServer(folder)).toThrow(/^The data folder's lock is damaged or is not a Tributary database\.$/);
  });
});
