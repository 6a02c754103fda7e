import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { digestFiles } from "../../../src/ui-build/digest.ts";
import { makeTemporaryFolder } from "../../support/metadata-store.ts";

test("The digest of sources changes with every content and name, and with nothing else", async () => {
  const folder = await makeTemporaryFolder();
  const digest = () => digestFiles([join(folder, "src/"), join(folder, "lock.json")]);
  await mkdir(join(folder, "src/deep"), { recursive: true });
  await writeFile(join(folder, "src/deep/a.ts"), "a");
  await writeFile(join(folder, "lock.json"), "{}");
  const first = await digest();

  await writeFile(join(folder, "src/deep/a.ts"), "a");
  expect(await digest()).toBe(first);

  await writeFile(join(folder, "src/deep/a.ts"), "b");
  const changed = await digest();
  await rename(join(folder, "src/deep/a.ts"), join(folder, "src/deep/b.ts"));
  const renamed = await digest();
  await writeFile(join(folder, "lock.json"), "[]");
  const locked = await digest();
  expect(new Set([first, changed, renamed, locked]).size).toBe(4);
});
