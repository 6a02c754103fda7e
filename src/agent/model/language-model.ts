/** The contract of a language model: it is given a prompt and tools, and writes a text. */
import type { Tool } from "./tools.ts";

export interface Prompt {
  system: string;
  user: string;
  tools: readonly Tool[];
  /** Runs a tool whose input was checked; answers what the model is to read. Never rejects. */
  callTool: (tool: Tool, input: Readonly<Record<string, unknown>>) => Promise<string>;
  /** Ends it all; whatever is under way is let go. */
  signal: AbortSignal;
}

export interface LanguageModel {
  /** @throws ModelFailure where there is no text, whatever the reason */
  write(prompt: Prompt): Promise<string>;
}

/** Why there is no text, as a sentence that may be shown. It never holds what the endpoint said, nor the key. */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
}
