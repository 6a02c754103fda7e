/** A body of the type multipart/form-data with texts and files. It is parsed again at each reading of a file. */
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { Busboy, type BusboyInstance } from "@fastify/busboy";

import type { SourceFile } from "../connectors/source-file.ts";
import { AppError } from "../errors.ts";

export interface Form {
  /** By their names. */
  texts: ReadonlyMap<string, string>;
  files: ReadonlyMap<string, SourceFile>;
}

const MAX_TEXTS = 8;
const MAX_TEXT_BYTES = 256 * 1024;
/** A manifest and its catalog. */
const MAX_FILES = 2;

/**
 * @param body the whole body, which must stay readable as long as the form is used
 * @param type the request's Content-Type, with the boundary
 * @throws AppError `bad_request` if it is not well-formed, or has more parts than are taken
 */
export async function readForm(body: SourceFile, type: string): Promise<Form> {
  const texts = new Map<string, string>();
  const found = new Map<string, number>();
  let fault = "";
  const parser = createParser(type);
  parser.on("field", (name, text, _nameCut, textCut) => {
    if (textCut) fault = `The part ${name} is too long.`;
    texts.set(name, text);
  });
  parser.on("file", (name, file) => {
    if (found.has(name)) fault = "Two files of the form have the same name.";
    found.set(name, 0);
    // The parser fails with the same error. If nobody heard it here, it would end the process.
    file.on("error", () => {});
    file.on("data", (chunk: Buffer) => found.set(name, (found.get(name) ?? 0) + chunk.length));
  });
  for (const limit of ["partsLimit", "filesLimit", "fieldsLimit"] as const) {
    parser.on(limit, () => (fault = `The form has too many parts. It may have ${MAX_FILES} files.`));
  }
  try {
    await pipeline(Readable.from(body.open()), parser);
  } catch (error) {
    throw new AppError("bad_request", "The body is not well-formed multipart/form-data.", { cause: error });
  }
  if (fault !== "") throw new AppError("bad_request", fault);
  const files = new Map([...found].map(([name, bytes]) => [name, toFile(body, type, name, bytes)]));
  return { texts, files };
}

function createParser(type: string): BusboyInstance {
  const limits = { fields: MAX_TEXTS, fieldSize: MAX_TEXT_BYTES, files: MAX_FILES };
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
