/** Translates errors for the Model Context Protocol: the usual error body, and a link to the metadata on 401. */
import { toErrorAnswer, type Translator } from "../error-answer.ts";
import { toChallenge } from "./path.ts";

export function toMcpErrorAnswer(publicUrl: () => string): Translator {
  return (error) => {
    const answer = toErrorAnswer(error);
    if (answer.status !== 401) return answer;
    return { ...answer, headers: { ...answer.headers, "WWW-Authenticate": toChallenge(publicUrl()) } };
  };
}
