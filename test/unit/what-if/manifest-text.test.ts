import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";

import { expect, it } from "vitest";

import { AppError } from "../../../src/errors.ts";
import { withArtifactFiles } from "../../../src/what-if/manifest-text.ts";

it.each([
  ["has ended well", () => Promise.resolve("done")],
  ["was refused", () => Promise.reject(new AppError("bad_request", "no"))],
  ["failed unexpectedly", () => Promise.reject(new Error("no"))],
])("The files are gone, with their folder, when the work on them %s", async (_, end) => {
  const folders: string[] = [];
  const texts: string[] = [];
  const work = withArtifactFiles({ manifest: "{}", catalog: "[]" }, async ({ manifest, catalog = "" }) => {
    folders.push(dirname(manifest));
    texts.push(await readFile(manifest, "utf8"), await readFile(catalog, "utf8"));
    return end();
  });
  await work.catch(() => "ended");
  expect(texts).toEqual(["{}", "[]"]);
  expect(folders.map((folder) => existsSync(folder))).toEqual([false]);
});

it("Artifacts of more than 8 MiB together are refused before anything is written", async () => {
  const work = withArtifactFiles({ manifest: "x".repeat(8 * 1024 ** 2), catalog: "y" }, () => Promise.resolve("read"));
  await expect(work).rejects.toMatchObject({ code: "bad_request", message: expect.stringContaining("8 MiB") });
});
