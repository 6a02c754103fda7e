/** A language model behind an OpenAI-compatible endpoint. The only file that knows the SDK. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError, generateText } from "ai";

import type { ModelSettings } from "../../settings/settings.ts";
import { type LanguageModel, ModelFailure, type Prompt } from "./language-model.ts";
import { createMeter, type Meter } from "./metered-fetch.ts";

/** Of a question's tokens, what one answer may take. */
const ANSWER_SHARE = 0.25;

export function createOpenAiCompatible(settings: ModelSettings): LanguageModel {
  // What the endpoint refuses, it refuses for every question.
  const refused = new Set<string>();
  return {
    openQuestion() {
      const meter = createMeter(settings.maxTokens, refused);
      return {
        async complete(prompt) {
          const text = await generate(prompt, settings, meter).catch((error: unknown) => {
            throw toFailure(error);
          });
          if (text.trim() !== "") return text;
          throw new ModelFailure("The language model answered nothing.");
        },
      };
    },
  };
}

async function generate({ system, user, signal }: Prompt, settings: ModelSettings, meter: Meter): Promise<string> {
  const { url, model, key, maxTokens } = settings;
  const provider = createOpenAICompatible({
    name: "agent",
    baseURL: url,
    ...(key === null ? {} : { apiKey: key }),
    fetch: meter.fetch,
  });
  const { text } = await generateText({
    model: provider(model),
    instructions: system,
    prompt: user,
    maxOutputTokens: Math.ceil(maxTokens * ANSWER_SHARE),
    temperature: 0,
    providerOptions: { agent: { response_format: { type: "json_object" } } },
    // The asker waits: if an endpoint is busy, the reader's own plan is used.
    maxRetries: 0,
    abortSignal: signal,
    telemetry: { isEnabled: false },
  });
  return text;
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
