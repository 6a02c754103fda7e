/** Reads a body that is one JSON document. */
import { buffer } from "node:stream/consumers";

import { AppError } from "../errors.ts";
import { parsingJson } from "../work/json-values.ts";
import { createSlicer } from "../work/slicer.ts";
import type { GraphqlContext } from "./context.ts";
import type { UploadedFile } from "./uploaded-file.ts";

/** Of one body. An event with the lineage of a thousand columns has some ten thousand. */
const MAX_VALUES = 500_000;

/** @throws AppError `bad_request` */
export async function readUploadedJson(
  { nextTurn: next, caller }: Pick<GraphqlContext, "nextTurn" | "caller">,
  upload: UploadedFile,
): Promise<unknown> {
  const text = decode(await buffer(upload.file.open()));
  return createSlicer({ next }, caller).run(parsingJson(text, MAX_VALUES));
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AppError("bad_request", "The body is not UTF-8.", { cause: error });
  }
}
