/** Text that callers send: how long it is, and how much of it an answer repeats. */

/** What an error repeats of a text that a caller sent. */
const MAX_EXCERPT = 100;
/** A message with its excerpts, and what a library adds to them. */
const MAX_MESSAGE = 500;

/**
 * Whether a text has more than so many characters: code points, as OpenAPI's `maxLength` counts them, not units of
 * UTF-16, of which some characters take two.
 */
export function hasMoreCharacters(text: string, max: number): boolean {
  if (text.length <= max) return false;
  return text.length > 2 * max || [...text].length > max;
}

/** The text, or its beginning and an ellipsis if it is longer. */
export function excerpt(text: string, max = MAX_EXCERPT): string {
  if (!hasMoreCharacters(text, max)) return text;
  return `${Array.from(text.slice(0, 2 * max))
    .slice(0, max)
    .join("")}…`;
}

/** Of a message that a library wrote, with whatever it quotes: each quote and the whole of a bounded length. */
export function shortenMessage(message: string): string {
  const quotes = /"([^"]{101,})"/g;
  return excerpt(
    message.replaceAll(quotes, (_, quoted: string) => `"${excerpt(quoted)}"`),
    MAX_MESSAGE,
  );
}
