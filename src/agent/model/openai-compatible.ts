/** A language model behind an OpenAI-compatible endpoint. The only file that knows the SDK. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError, generateText } from "ai";

import type { ModelSettings } from "../../settings/settings.ts";
import { type LanguageModel, ModelFailure, type Prompt } from "../choose-plan.ts";

/** Of a question's tokens, what one answer may take. */
const ANSWER_SHARE = 0.25;
/** What a token is at least, in characters, in most languages: an endpoint need not say how many it counted. */
const CHARACTERS_A_TOKEN = 4;
const MAX_ANSWER_BYTES = 1_000_000;

/** Parameters that some endpoints refuse, and what takes their place there. */
const REPLACED: Readonly<Record<string, string | null>> = {
  max_tokens: "max_completion_tokens",
  temperature: null,
  response_format: null,
};

export function createOpenAiCompatible({ url, model, key, maxTokens }: ModelSettings): LanguageModel {
  // What the endpoint refuses, it refuses for every question.
  const refused = new Set<string>();
  const provider = createOpenAICompatible({
    name: "agent",
    baseURL: url,
    ...(key === null ? {} : { apiKey: key }),
    fetch: fetchBounded,
    transformRequestBody: (body) => without(body, refused),
  });

  async function generate(prompt: Prompt): Promise<string> {
    try {
      const { text } = await generateText({
        model: provider(model),
        instructions: prompt.system,
        prompt: prompt.user,
        maxOutputTokens: Math.ceil(maxTokens * ANSWER_SHARE),
        temperature: 0,
        providerOptions: { agent: { response_format: { type: "json_object" } } },
        // The asker waits: if an endpoint is busy, the reader's own plan is used.
        maxRetries: 0,
        abortSignal: prompt.signal,
        telemetry: { isEnabled: false },
      });
      return text;
    } catch (error) {
      const again = findRefused(error, refused);
      if (again === undefined) throw toFailure(error);
      refused.add(again);
      return generate(prompt);
    }
  }

  return () => {
    let left = maxTokens * CHARACTERS_A_TOKEN;
    return async (prompt) => {
      left -= prompt.system.length + prompt.user.length;
      if (left <= 0) throw new ModelFailure("The language model used up what it may for one question.");
      const text = await generate(prompt);
      left -= text.length;
      if (text.trim() === "") throw new ModelFailure("The language model answered nothing.");
      return text;
    };
  };
}

/** `fetch` that reads no more than it must, and no redirect: that would carry the metadata to an address that nobody configured. */
async function fetchBounded(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: "error" });
  let size = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > MAX_ANSWER_BYTES) controller.error(new ModelFailure("The language model's answer was too long."));
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(bound) ?? null, response);
}

/** The parameter of which an error speaks, if it was sent. The text is looked at for its name, and for nothing else. */
function findRefused(error: unknown, refused: ReadonlySet<string>): string | undefined {
  if (!APICallError.isInstance(error) || (error.statusCode !== 400 && error.statusCode !== 422)) return undefined;
  return Object.keys(REPLACED).find((name) => !refused.has(name) && error.responseBody?.includes(name));
}

function without(body: Readonly<Record<string, unknown>>, refused: ReadonlySet<string>): Record<string, unknown> {
  const sent = Object.entries(body).map(([name, value]) => [refused.has(name) ? REPLACED[name] : name, value] as const);
  return Object.fromEntries(sent.flatMap(([name, value]) => (name ? [[name, value]] : [])));
}

/** What went wrong, in words of our own: an endpoint's may hold anything, the key among it. */
function toFailure(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error;
  if (error instanceof Error && error.cause instanceof ModelFailure) return error.cause;
  if (!APICallError.isInstance(error)) return new ModelFailure("The language model's answer could not be read.");
  const { statusCode } = error;
  if (statusCode === undefined) return new ModelFailure("The language model could not be reached.");
  if (statusCode < 400) return new ModelFailure("The language model's answer could not be read.");
  return new ModelFailure(`The language model refused to answer, with status ${statusCode}.`);
}
