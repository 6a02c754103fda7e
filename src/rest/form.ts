/** A body of the type multipart/form-data with texts and one file. It is parsed again at each reading of the file. */
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
    found.set(name, 0);
    // The parser fails with the same error. If nobody heard it here, it would end the process.
    file.on("error", () => {});
    file.on("data", (chunk: Buffer) => found.set(name, (found.get(name) ?? 0) + chunk.length));
  });
  for (const limit of ["partsLimit", "filesLimit", "fieldsLimit"] as const) {
    parser.on(limit, () => (fault = "The form has too many parts. It may have one file."));
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
  const limits = { fields: MAX_TEXTS, fieldSize: MAX_TEXT_BYTES, files: 1 };
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
      parser.on("file", (_name, file) => file.on("error", (error) => content.destroy(error)).pipe(content));
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
