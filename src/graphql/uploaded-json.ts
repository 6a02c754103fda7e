/** Reads a body that is one JSON document. */
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
  const slicer = createSlicer({ next }, caller);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const texts: string[] = [];
  for await (const bytes of upload.file.open()) {
    if (slicer.isDue()) await slicer.next();
    texts.push(decode(() => decoder.decode(bytes, { stream: true })));
  }
  texts.push(decode(() => decoder.decode()));
  return slicer.run(parsingJson(texts.join(""), { maxValues: MAX_VALUES }));
}

function decode(next: () => string): string {
  try {
    return next();
  } catch (error) {
    throw new AppError("bad_request", "The body is not UTF-8.", { cause: error });
  }
}
