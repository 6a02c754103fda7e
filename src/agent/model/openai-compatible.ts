/** A language model behind an OpenAI-compatible endpoint. The only file that knows the SDK. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError, generateText, isStepCount, tool as defineTool, type ToolSet } from "ai";

import type { ModelSettings } from "../../settings.ts";
import { type LanguageModel, ModelFailure, type Prompt } from "./language-model.ts";
import { createMeter, type Meter } from "./metered-fetch.ts";

/** Of a question's tokens, what one text may take. */
const TEXT_SHARE = 0.25;
/** With less of them left than this, nothing more is looked up. */
const LOOK_UP_SHARE = 0.4;

export function createOpenAiCompatible(settings: ModelSettings): LanguageModel {
  return {
    async write(prompt) {
      const meter = createMeter(settings.maxTokens);
      const { text } = await generate(prompt, settings, meter).catch((error: unknown) => {
        throw toFailure(error);
      });
      if (text.trim() !== "") return text;
      throw new ModelFailure("The language model answered nothing.");
    },
  };
}

async function generate(prompt: Prompt, settings: ModelSettings, meter: Meter): Promise<{ text: string }> {
  const { url, model, key, maxTokens, maxSteps } = settings;
  const provider = createOpenAICompatible({
    name: "agent",
    baseURL: url,
    ...(key === null ? {} : { apiKey: key }),
    fetch: meter.fetch,
  });
  return generateText({
    model: provider(model),
    instructions: prompt.system,
    prompt: prompt.user,
    tools: toToolSet(prompt),
    stopWhen: isStepCount(maxSteps),
    maxOutputTokens: Math.ceil(maxTokens * TEXT_SHARE),
    temperature: 0,
    // Who asks waits: an endpoint that is busy is answered for, not asked again.
    maxRetries: 0,
    abortSignal: prompt.signal,
    telemetry: { isEnabled: false },
    prepareStep: ({ stepNumber, steps }) => {
      meter.note(steps.reduce((sum, { usage }) => sum + (usage.totalTokens ?? 0), 0));
      const isLast = stepNumber === maxSteps - 1 || meter.left() < maxTokens * LOOK_UP_SHARE;
      return isLast ? { toolChoice: "none" } : {};
    },
  });
}

function toToolSet({ tools, callTool }: Prompt): ToolSet {
  return Object.fromEntries(
    tools.map((tool) => [
      tool.name,
      defineTool({
        description: tool.description,
        inputSchema: tool.input,
        execute: (input) => callTool(tool, input),
      }),
    ]),
  );
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
