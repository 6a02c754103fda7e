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

/** A text, with the colon that makes it a key, or another value; between them JSON has nothing to escape. */
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"(?=(:?))|true|false|null|-?\d[\d.e+-]*/g;

/** JSON, laid out for reading, its keys and values told apart. */
export function json(value: unknown): Html {
  const marked = JSON.stringify(value, null, 2).replaceAll(JSON_TOKEN, (token: string, colon: string | undefined) => {
    const kind = colon === ":" ? "key" : token.startsWith('"') ? "string" : "literal";
    return html`<span class="${kind}">${token}</span>`.text;
  });
  return html`<pre><code>${new Html(marked)}</code></pre>`;
}

function toText(value: Piece): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(toText).join("");
  if (value === undefined || value === null || value === false) return "";
  return String(value).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}
