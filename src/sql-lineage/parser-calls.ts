import type { LineageAnswer, LineageRequest } from "./request.ts";

/** What a thread that reads SQL can be asked. */
export interface ParserCalls {
  resolveColumns: (request: LineageRequest) => LineageAnswer;
}
