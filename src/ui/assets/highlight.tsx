/** Marks the words of a search in a text. */

/** Characters around the first mark of a long text. */
const CONTEXT = 60;

interface HighlightProps {
  text: string;
  /** In lower case. */
  words: readonly string[];
  /** Cut a long text to what is around the first word. */
  cuts?: boolean;
}

export function Highlight({ text, words, cuts = false }: HighlightProps) {
  const pattern = toPattern(words);
  if (pattern === null) return text;
  const shown = cuts ? cutAround(text, pattern) : text;
  return shown.split(pattern).map((part, index) =>
    // The pattern has one group, so that every second part is a word.
    // oxlint-disable-next-line react/no-array-index-key -- parts never move
    index % 2 === 1 ? <mark key={index}>{part}</mark> : part,
  );
}

function toPattern(words: readonly string[]): RegExp | null {
  // The longest first, since alternatives are tried in order.
  const sorted = words
    .filter(Boolean)
    .map(RegExp.escape)
    .toSorted((a, b) => b.length - a.length);
  return sorted.length === 0 ? null : new RegExp(`(${sorted.join("|")})`, "gi");
}

function cutAround(text: string, pattern: RegExp): string {
  const at = text.search(pattern);
  if (at <= CONTEXT) return text;
  return `… ${text.slice(text.indexOf(" ", at - CONTEXT) + 1)}`;
}
