import type { LineageAnswer } from "./request.ts";

/** What a thread sends back; one that is broken wants to be replaced. */
export interface ThreadReply {
  answer: LineageAnswer;
  broken: boolean;
}
