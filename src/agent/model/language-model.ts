/** The contract of a language model: it is given a prompt, and completes it with a text. */

export interface Prompt {
  system: string;
  user: string;
  /** Ends it all; whatever is under way is let go. */
  signal: AbortSignal;
}

export interface LanguageModel {
  /**
   * Begins a question. All of its prompts share one budget of tokens.
   * @returns what completes a prompt; it throws ModelFailure if there is no text, whatever the reason
   */
  openQuestion(): (prompt: Prompt) => Promise<string>;
}

/** Why there is no text, as a sentence that may be shown. It never holds what the endpoint said, nor the key. */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
}
