import type { LineageAnswer, LineageRequest } from "./request.ts";

/** The calls that the parser's thread answers. */
export interface ParserCalls {
  resolveColumns: (request: LineageRequest) => LineageAnswer;
}
