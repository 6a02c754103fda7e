/** The key that encrypts connectors' secrets and signs cursors, if the settings contain none. */
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";

import type { RandomBytes } from "../clock.ts";
import { type AppError, unavailable } from "../errors.ts";
import { MIN_SECRET_KEY_LENGTH } from "../settings/schema.ts";
import { type DataFolder, toFolderError } from "./folder.ts";

const KEY_BYTES = 32;

/**
 * Reads the folder's key. Creates it if there is none. Processes that start at the same time get the same key.
 * @throws AppError `unavailable` if the key cannot be read or written, is too short, or was lost
 */
export function readOrMakeSecretKey(folder: DataFolder, random: RandomBytes): string {
  // The key is always created before the data. So if there is data without a key, the key was lost. The data is checked
  // first, because another process may create both in between.
  const inUse = existsSync(folder.metadata);
  const found = readKey(folder);
  if (found === null && inUse) throw lost(folder, "is missing");
  const key = found ?? makeKey(folder, random);
  if (key.length < MIN_SECRET_KEY_LENGTH) throw lost(folder, "is damaged");
  return key;
}

function lost(folder: DataFolder, what: string): AppError {
  return unavailable(
    `${folder.secretKey} ${what}, and encrypted data cannot be read without it. Restore the file, or set SECRET_KEY.`,
  );
}

function readKey(folder: DataFolder): string | null {
  try {
    return readFileSync(folder.secretKey, "utf8").trim();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw toFolderError(error, folder.path);
  }
}

/**
 * Writes the key to another file and links it into place, so nobody can read half a key. The first process to link
 * wins.
 */
function makeKey(folder: DataFolder, random: RandomBytes): string {
  const aside = `${folder.secretKey}.${random(8).toString("hex")}`;
  const key = random(KEY_BYTES).toString("base64url");
  try {
    const file = openSync(aside, "wx", 0o600);
    writeSync(file, `${key}\n`);
    fsyncSync(file);
    closeSync(file);
    linkSync(aside, folder.secretKey);
    return key;
  } catch (error) {
    const winner = hasCode(error, "EEXIST") ? readKey(folder) : null;
    if (winner !== null) return winner;
    throw toFolderError(error, folder.path);
  } finally {
    rmSync(aside, { force: true });
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
