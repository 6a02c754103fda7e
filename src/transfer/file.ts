/** The file of an export: JSON, one value a line, packed if its name ends with `.gz`. Its last line has the hash of the others. */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";

import { z } from "zod";

import { AppError, unavailable } from "../errors.ts";
import { type End, endLine, type Header, headerLine, parseRows, READ_FORMATS, type RowsLine } from "./shapes.ts";

const isPacked = (path: string): boolean => path.endsWith(".gz");

/**
 * Writes an export. There is no file before all of it is written.
 * @throws AppError `conflict` if the file exists, `unavailable` if it cannot be written
 */
export async function writeFile(path: string, header: Header, lines: AsyncIterable<RowsLine>): Promise<End> {
  if (existsSync(path)) throw new AppError("conflict", `${path} exists already. Name a file that does not exist.`);
  const aside = `${path}.unfinished`;
  let end: End = { end: true, rows: {}, sha256: "" };
  async function* toText(): AsyncGenerator<string> {
    const hash = createHash("sha256");
    const print = (value: unknown): string => {
      const text = `${JSON.stringify(value)}\n`;
      hash.update(text);
      return text;
    };
    yield print(header);
    const rows: Record<string, number> = {};
    for await (const line of lines) {
      rows[line.part] = (rows[line.part] ?? 0) + line.rows.length;
      yield print(line);
    }
    end = { end: true, rows, sha256: hash.digest("hex") };
    yield `${JSON.stringify(end)}\n`;
  }
  try {
    const target = createWriteStream(aside, { flags: "wx", mode: 0o600, flush: true });
    if (isPacked(path)) await pipeline(Readable.from(toText()), createGzip(), target);
    else await pipeline(Readable.from(toText()), target);
    await rename(aside, path);
    return end;
  } catch (error) {
    if (!isCode(error, "EEXIST")) await rm(aside, { force: true });
    throw toFileError(error, path, "written");
  }
}

/**
 * Reads a whole export and checks every line, without keeping them.
 * @throws AppError `bad_request` if it is no whole and unchanged export of this version
 */
export async function checkFile(path: string): Promise<{ header: Header; end: End }> {
  const hash = createHash("sha256");
  const rows: Record<string, number> = {};
  let header: Header | undefined;
  let end: End | undefined;
  let number = 0;
  for await (const text of readLines(path)) {
    number++;
    if (end !== undefined) throw damaged(path, `line ${number} comes after the end`);
    const value = parseLine(text, path, number);
    if (header === undefined) header = parseHeader(value, path);
    else if (z.looseObject({ end: z.literal(true) }).safeParse(value).success)
      end = check(endLine, value, path, number);
    else {
      const line = checkWith(() => parseRows(value), path, number);
      rows[line.part] = (rows[line.part] ?? 0) + line.rows.length;
    }
    if (end === undefined) hash.update(`${text}\n`);
  }
  if (header === undefined) throw damaged(path, "it is empty");
  if (end === undefined) throw damaged(path, "its end is missing");
  if (end.sha256 !== hash.digest("hex")) throw damaged(path, "it is not as it was written");
  for (const part of new Set([...Object.keys(rows), ...Object.keys(end.rows)])) {
    const [found, named] = [rows[part] ?? 0, end.rows[part] ?? 0];
    if (found !== named) throw damaged(path, `it has ${found} rows of ${part}, and its end names ${named}`);
  }
  return { header, end };
}

/** The rows of a file that `checkFile` has checked. */
export async function* readRows(path: string): AsyncGenerator<RowsLine> {
  let number = 0;
  for await (const text of readLines(path)) {
    number++;
    const value = parseLine(text, path, number);
    if (number === 1 || endLine.safeParse(value).success) continue;
    yield checkWith(() => parseRows(value), path, number);
  }
}

async function* readLines(path: string): AsyncGenerator<string> {
  const source = createReadStream(path);
  const input = isPacked(path) ? source.pipe(createGunzip()) : source;
  // `pipe` hands on no errors.
  source.on("error", (error) => input.destroy(error));
  try {
    await (await open(path, "r")).close();
    yield* createInterface({ input, crlfDelay: Infinity });
    // The interface ends without an error if its input breaks off.
    if (input.errored) throw input.errored;
  } catch (error) {
    throw toFileError(error, path, "read");
  } finally {
    source.destroy();
  }
}

function parseHeader(value: unknown, path: string): Header {
  const known = z.looseObject({ tributary: z.literal("export"), format: z.number() }).safeParse(value);
  if (!known.success) throw new AppError("bad_request", `${path} is no export of Tributary.`);
  if (!READ_FORMATS.includes(known.data.format)) {
    throw new AppError(
      "bad_request",
      `${path} has the format ${known.data.format}, and this version of Tributary reads the formats ${READ_FORMATS.join(" and ")}.`,
    );
  }
  return check(headerLine, value, path, 1);
}

function parseLine(text: string, path: string, number: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw damaged(path, `line ${number} is not JSON`, error);
  }
}

function check<T>(shape: z.ZodType<T>, value: unknown, path: string, number: number): T {
  return checkWith(() => shape.parse(value), path, number);
}

function checkWith<T>(parse: () => T, path: string, number: number): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const [fault] = error.issues;
    throw damaged(path, `line ${number}, ${fault?.path.join(".") ?? ""}: ${fault?.message ?? "wrong"}`, error);
  }
}

function damaged(path: string, what: string, cause?: unknown): AppError {
  return new AppError("bad_request", `The export ${path} is damaged: ${what}.`, { cause });
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;

function toFileError(error: unknown, path: string, done: "read" | "written"): unknown {
  if (error instanceof AppError || !(error instanceof Error) || !("code" in error)) return error;
  if (isCode(error, "EEXIST")) return new AppError("conflict", `${path}.unfinished exists: another export writes it.`);
  if (isCode(error, "ENOENT")) return new AppError("not_found", `There is no file ${path}.`, { cause: error });
  return unavailable(`The export ${path} cannot be ${done}: ${error.message}.`, error);
}
