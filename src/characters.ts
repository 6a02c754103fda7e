/** Measures and decodes text that callers send, and shortens it for error messages. */

/** An error repeats at most this much of a caller's text. */
const MAX_EXCERPT = 100;
/** The limit for a library's message with its excerpts. */
const MAX_MESSAGE = 500;

/**
 * Whether a text has more than `max` characters. Counts code points, as OpenAPI's `maxLength` does, not UTF-16 units.
 */
export function hasMoreCharacters(text: string, max: number): boolean {
  if (text.length <= max) return false;
  return text.length > 2 * max || [...text].length > max;
}

/** Decodes percent-encoding. Returns null if the result is not well-formed text. */
export function decodePercent(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The text. If it is longer than `max`, its beginning and an ellipsis. */
export function excerpt(text: string, max = MAX_EXCERPT): string {
  if (!hasMoreCharacters(text, max)) return text;
  return `${Array.from(text.slice(0, 2 * max))
    .slice(0, max)
    .join("")}…`;
}

/** Shortens a library's message: every text that it quotes, then the whole message. */
export function shortenMessage(message: string): string {
  const quotes = /"([^"]{101,})"/g;
  return excerpt(
    message.replaceAll(quotes, (_, quoted: string) => `"${excerpt(quoted)}"`),
    MAX_MESSAGE,
  );
}
