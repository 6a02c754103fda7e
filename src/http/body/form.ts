/** A body of the type multipart/form-data with texts and files. It is parsed again at each reading of a file. */
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { Busboy, type BusboyInstance } from "@fastify/busboy";

import type { SourceFile } from "../../connectors/source-file.ts";
import { AppError } from "../../errors.ts";
import type { Slicer } from "../../work/slicer.ts";

export interface Form {
  /** By their names. */
  texts: ReadonlyMap<string, string>;
  files: ReadonlyMap<string, SourceFile>;
}

/** What is known of a form when it has been read once. */
export interface FormParts extends Pick<Form, "texts"> {
  /** The sizes of the files in bytes, by their names. */
  fileBytes: ReadonlyMap<string, number>;
}

const MAX_TEXTS = 8;
const MAX_TEXT_BYTES = 256 * 1024;
/** A manifest and its catalog. */
const MAX_FILES = 2;
const MAX_NAME_CHARACTERS = 256;
/** Browsers write two header lines for each part. */
const MAX_HEADERS = 16;
const MAX_HEADER_BYTES = 8 * 1024;
/** The parser reads a piece in one go. If all of it is delimiters, that takes some milliseconds. */
const PIECE_BYTES = 4 * 1024;

/**
 * Reads a form while it arrives, as far as its first fault.
 * @param type the request's Content-Type, with the boundary
 * @throws AppError `bad_request` if it is not well-formed, or has more parts than are taken
 */
export async function readForm(
  chunks: AsyncIterable<Uint8Array>,
  type: string,
  pace: Pick<Slicer, "isDue" | "next">,
): Promise<FormParts> {
  const texts = new Map<string, string>();
  const fileBytes = new Map<string, number>();
  const parser = createParser(type);
  let fault: AppError | undefined;
  const fail = (message: string): void => {
    fault ??= new AppError("bad_request", message);
  };
  const checkName = (name: string | undefined): void => {
    if (name === undefined || name.length > MAX_NAME_CHARACTERS) {
      fail(`Each part of the form needs a name of at most ${MAX_NAME_CHARACTERS} characters.`);
    } else if (texts.has(name) || fileBytes.has(name)) fail("Two parts of the form have the same name.");
  };
  parser.on("field", (name, text, _nameCut, textCut) => {
    checkName(name);
    if (textCut) fail(`A part of the form without a file name may have at most ${MAX_TEXT_BYTES} bytes.`);
    texts.set(name, text);
  });
  parser.on("file", (name, file) => {
    checkName(name);
    fileBytes.set(name, 0);
    // The parser fails with the same error. If nobody heard it here, it would end the process.
    file.on("error", () => {});
    file.on("data", (chunk: Buffer) => fileBytes.set(name, (fileBytes.get(name) ?? 0) + chunk.length));
  });
  for (const limit of ["partsLimit", "filesLimit", "fieldsLimit"] as const) {
    parser.on(limit, () => fail(`The form has too many parts. It may have ${MAX_FILES} files.`));
  }
  async function* inPieces(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        if (pace.isDue()) await pace.next();
        yield chunk.subarray(at, at + PIECE_BYTES);
        if (fault !== undefined) throw fault;
      }
    }
  }
  try {
    await pipeline(inPieces, parser);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("bad_request", "The body is not well-formed multipart/form-data.", { cause: error });
  }
  if (fault !== undefined) throw fault;
  return { texts, fileBytes };
}

/** @param body the whole body, which must stay readable as long as the form is used */
export function toForm(body: SourceFile, type: string, { texts, fileBytes }: FormParts): Form {
  return {
    texts,
    files: new Map([...fileBytes].map(([name, bytes]) => [name, toFile(body, type, name, bytes)])),
  };
}

function createParser(type: string): BusboyInstance {
  const limits = {
    parts: MAX_TEXTS + MAX_FILES,
    fields: MAX_TEXTS,
    fieldSize: MAX_TEXT_BYTES,
    files: MAX_FILES,
    headerPairs: MAX_HEADERS,
    headerSize: MAX_HEADER_BYTES,
  };
  try {
    return new Busboy({ headers: { "content-type": type }, limits });
  } catch (error) {
    throw new AppError("bad_request", "The Content-Type needs a boundary.", { cause: error });
  }
}

function toFile(body: SourceFile, type: string, name: string, bytes: number): SourceFile {
  return {
    name: `the file ${name} of the request`,
    bytes,
    async *open() {
      const source = Readable.from(body.open());
      const content = new PassThrough();
      const parser = createParser(type);
      parser.on("file", (part, file) => {
        file.on("error", (error) => content.destroy(error));
        if (part === name) file.pipe(content);
        else file.resume();
      });
      pipeline(source, parser).catch((error: unknown) => {
        content.destroy(error instanceof Error ? error : new Error(String(error)));
      });
      try {
        yield* content as AsyncIterable<Buffer>;
      } finally {
        source.destroy();
      }
    },
  };
}
