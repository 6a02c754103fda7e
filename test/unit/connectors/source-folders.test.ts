import { mkdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";

import { beforeEach, describe, expect, it } from "vitest";

import { createFileLocator, type LocateFile } from "../../../src/connectors/source-folders.ts";
import { makeTemporaryFolder } from "../../support/metadata-store.ts";

let root: string;
let locate: LocateFile;
beforeEach(async () => {
  root = await realpath(await makeTemporaryFolder());
  await mkdir(join(root, "allowed/project"), { recursive: true });
  await mkdir(join(root, "allowed-not"));
  await mkdir(join(root, "secret"));
  for (const path of ["allowed/project/in.json", "allowed-not/out.json", "secret/out.json"]) {
    await writeFile(join(root, path), "{}");
  }
  locate = createFileLocator(() => [join(root, "allowed")], join(root, "data"));
});

const at = (path: string): string => join(root, path);

describe("Paths in a permitted folder", () => {
  it.each(["allowed/project/in.json", "allowed/none.json", "allowed/none/none.json", "allowed", "allowed/..in.json"])(
    "A path in a permitted folder is permitted, whether it exists or not: %s",
    async (path) => {
      expect(await locate(at(path))).toBe(at(path));
    },
  );

  it("A permitted path may contain .. and may be relative to the working folder", async () => {
    const inside = at("allowed/project/in.json");
    expect(await locate(`${root}/secret/../allowed/project/../project/in.json`)).toBe(inside);
    expect(await locate(relative(process.cwd(), inside))).toBe(inside);
  });

  it("A link to a permitted path is permitted, and its target is returned", async () => {
    await symlink(at("allowed/project"), at("allowed/latest"));
    await symlink(at("allowed/project/in.json"), at("secret/in.json"));
    expect(await locate(at("allowed/latest/in.json"))).toBe(at("allowed/project/in.json"));
    expect(await locate(at("secret/in.json"))).toBe(at("allowed/project/in.json"));
  });

  it("A link to a permitted path that does not exist yet is permitted", async () => {
    await symlink("project/later.json", at("allowed/latest.json"));
    expect(await locate(at("allowed/latest.json"))).toBe(at("allowed/project/later.json"));
  });

  it("A path is permitted if its permitted folder is a link, or is created later", async () => {
    await symlink(at("secret"), at("mounted"));
    locate = createFileLocator(() => [at("mounted"), at("later")], at("data"));
    expect(await locate(at("mounted/out.json"))).toBe(at("secret/out.json"));
    expect(await locate(at("later/m.json"))).toBe(at("later/m.json"));
    await mkdir(at("later"));
    expect(await locate(at("later/m.json"))).toBe(at("later/m.json"));
    expect(await locate(at("allowed/project/in.json"))).toBeNull();
  });

  it("Any path is permitted if the root is permitted", async () => {
    expect(await createFileLocator(() => ["/"], at("data"))(at("secret/out.json"))).toBe(at("secret/out.json"));
  });
});

describe("Paths outside of the permitted folders", () => {
  it.each([
    "secret/out.json",
    "secret/none.json",
    "none/none.json",
    "allowed-not/out.json",
    "allowed/../secret/out.json",
    "allowed/none/../../secret/out.json",
    ".",
  ])("A path outside of the permitted folders is refused, whether it exists or not: %s", async (path) => {
    expect(await locate(`${root}/${path}`)).toBeNull();
  });

  it.each([
    ["a file", "secret/out.json", "link"],
    ["a file that does not exist", "secret/none.json", "link"],
    ["a folder", "secret", "link/out.json"],
    ["a file in it that does not exist", "secret", "link/none.json"],
    ["a folder that does not exist", "none", "link/none.json"],
  ])("A path is refused behind a link to %s", async (_what, target, path) => {
    await symlink(at(target), at("allowed/link"));
    expect(await locate(at(`allowed/${path}`))).toBeNull();
  });

  it("A path is refused behind links to links, and behind a relative link", async () => {
    await symlink("../secret/none.json", at("allowed/relative"));
    await symlink("relative", at("allowed/again"));
    expect(await locate(at("allowed/again"))).toBeNull();
  });

  it("A path is refused as soon as a link leads outside", async () => {
    await symlink(at("allowed/project/in.json"), at("allowed/link"));
    expect(await locate(at("allowed/link"))).toBe(at("allowed/project/in.json"));
    await rm(at("allowed/link"));
    await symlink(at("secret/out.json"), at("allowed/link"));
    expect(await locate(at("allowed/link"))).toBeNull();
  });
});

it("A link to itself is permitted as a path, and a path that is too long is refused", async () => {
  await symlink("loop", at("allowed/loop"));
  expect(await locate(at("allowed/loop/m.json"))).toBe(at("allowed/loop/m.json"));
  expect(await locate(at("allowed/\0"))).toBe(at("allowed/\0"));
  expect(await locate(`${root}/${"a/".repeat(2_100)}`)).toBeNull();
});

describe("Paths in the data folder", () => {
  beforeEach(async () => {
    await mkdir(at("data/backups"), { recursive: true });
    await writeFile(at("data/secret.key"), "secret");
  });

  it.each(["/", "", "data", "data/backups", "data/secret.key"])(
    "A path in the data folder is refused even if %s is permitted",
    async (permitted) => {
      locate = createFileLocator(() => [permitted === "/" ? "/" : at(permitted)], at("data"));
      for (const path of ["data", "data/secret.key", "data/none", "data/backups/none", "secret/../data/secret.key"]) {
        expect([path, await locate(`${root}/${path}`)]).toEqual([path, null]);
      }
    },
  );

  it("A path in the data folder is refused behind a link, and if the data folder is named by a link", async () => {
    await symlink(at("data"), at("secret/link"));
    await symlink(at("data/secret.key"), at("secret/key"));
    locate = createFileLocator(() => [root], at("secret/link"));
    for (const path of ["secret/link/secret.key", "secret/key", "data/secret.key", "secret/link"]) {
      expect([path, await locate(at(path))]).toEqual([path, null]);
    }
    expect(await locate(at("secret/out.json"))).toBe(at("secret/out.json"));
  });
});
