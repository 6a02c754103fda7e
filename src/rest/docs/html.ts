/** Text into HTML, escaped unless it was made here. */

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A piece of a page: safe as it stands. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Piece = Html | string | number | false | null | undefined | readonly Piece[];

/** A template whose values are escaped, pieces joined, and absent ones left out. */
export function html(strings: TemplateStringsArray, ...values: readonly Piece[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(toText)));
}

/** A sentence in which `names` stand in backticks. */
export function prose(text: string): Html {
  return new Html(toText(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>"));
}

/** JSON, laid out for reading, its keys and values told apart. */
export function json(value: unknown): Html {
  const token = /&quot;.*?&quot;(?=: )|&quot;.*?&quot;(?=,?$)|\b(?:true|false|null)\b|(?<=[ [])-?\d[\d.e+-]*/gm;
  const text = toText(JSON.stringify(value, null, 2));
  const marked = text.replaceAll(token, (found, at: number) => {
    const kind = text.startsWith(": ", at + found.length) ? "key" : found.startsWith("&quot;") ? "string" : "literal";
    return `<span class="${kind}">${found}</span>`;
  });
  return html`<pre><code>${new Html(marked)}</code></pre>`;
}

function toText(value: Piece): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(toText).join("");
  if (value === undefined || value === null || value === false) return "";
  return String(value).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}
