/**
 * `fetch` for one question: it follows no redirect, reads no more than it must, keeps to the question's tokens, and asks
 * again without a parameter that the endpoint refuses.
 */
import { ModelFailure } from "./language-model.ts";

/** What a token is at least, in characters, in most languages: an endpoint need not say how many it counted. */
const CHARACTERS_A_TOKEN = 4;
const MAX_ANSWER_BYTES = 1_000_000;

/** Parameters that some endpoints refuse, and what takes their place there. */
const REPLACED: readonly (readonly [name: string, instead: string | null])[] = [
  ["max_tokens", "max_completion_tokens"],
  ["temperature", null],
  ["response_format", null],
];

export interface Meter {
  fetch: typeof fetch;
}

/** @param refused names of parameters that the endpoint has refused; it is filled while it refuses more */
export function createMeter(maxTokens: number, refused: Set<string>, send: typeof fetch = fetch): Meter {
  let estimated = 0;
  const left = (): number => maxTokens - Math.ceil(estimated / CHARACTERS_A_TOKEN);

  async function sendOnce(input: Parameters<typeof fetch>[0], init: RequestInit | undefined): Promise<Response> {
    const body = typeof init?.body === "string" ? without(init.body, refused) : null;
    estimated += body?.length ?? 0;
    if (left() <= 0) throw new ModelFailure("The language model used up what it may for one question.");
    // A redirect would carry the catalog's metadata to an address that nobody configured.
    const response = await send(input, { ...init, body, redirect: "error" });
    const text = await readText(response);
    estimated += text.length;
    const { status } = response;
    const again = status === 400 || status === 422 ? REPLACED.find(([name]) => isRefused(name, text, body)) : undefined;
    if (again === undefined) return new Response(text, { status, headers: { "content-type": "application/json" } });
    refused.add(again[0]);
    return sendOnce(input, init);
  }

  return { fetch: sendOnce };
}

/** Whether the error speaks of a parameter that was sent. The text is looked at for its name, and for nothing else. */
function isRefused(name: string, text: string, body: string | null): boolean {
  return text.includes(name) && body !== null && Object.hasOwn(JSON.parse(body) as object, name);
}

function without(body: string, refused: ReadonlySet<string>): string {
  // The SDK has written it as an object.
  const all = JSON.parse(body) as Record<string, unknown>;
  for (const [name, instead] of REPLACED) {
    if (!refused.has(name) || !Object.hasOwn(all, name)) continue;
    if (instead !== null) all[instead] = all[name];
    delete all[name];
  }
  return JSON.stringify(all);
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
