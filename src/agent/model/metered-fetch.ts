/** `fetch` for one question: it follows no redirect, reads no more than it must, and keeps to the question's tokens. */
import { ModelFailure } from "./language-model.ts";

/** What a token is at least, in characters, in most languages: an endpoint need not say how many it counted. */
const CHARACTERS_A_TOKEN = 4;
const MAX_ANSWER_BYTES = 1_000_000;

export interface Meter {
  fetch: typeof fetch;
}

export function createMeter(maxTokens: number, send: typeof fetch = fetch): Meter {
  let estimated = 0;
  const left = (): number => maxTokens - Math.ceil(estimated / CHARACTERS_A_TOKEN);
  return {
    async fetch(input, init) {
      estimated += typeof init?.body === "string" ? init.body.length : 0;
      if (left() <= 0) throw new ModelFailure("The language model used up what it may for one question.");
      // A redirect would carry the catalog's metadata to an address that nobody configured.
      const response = await send(input, { ...init, redirect: "error" });
      const text = await readText(response);
      estimated += text.length;
      return new Response(text, { status: response.status, headers: { "content-type": "application/json" } });
    },
  };
}

async function readText({ body }: Response): Promise<string> {
  if (body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  // Leaving the loop lets the connection go.
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new ModelFailure("The language model's answer was too long.");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
