/** Builds HTML. All text is escaped, except HTML that was built here. */

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A piece of HTML that is already escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Piece = Html | string | number | false | null | undefined | readonly Piece[];

/** A template. Text values are escaped, lists of pieces are joined, and absent values are left out. */
export function html(strings: TemplateStringsArray, ...values: readonly Piece[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(toText)));
}

/** A sentence with `names` in backticks. */
export function prose(text: string): Html {
  return new Html(toText(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>"));
}

/** A JSON string, with its colon if it is a key, or another value. The rest of JSON needs no escaping. */
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"(?=(:?))|true|false|null|-?\d[\d.e+-]*/g;

/** Shows formatted JSON. Keys and values get different styles. */
export function json(value: unknown): Html {
  const marked = JSON.stringify(value, null, 2).replaceAll(JSON_TOKEN, (token: string, colon: string | undefined) => {
    const kind = colon === ":" ? "key" : token.startsWith('"') ? "string" : "literal";
    return html`<span class="${kind}">${token}</span>`.text;
  });
  return toExample(new Html(marked));
}

/** Text to copy, as a request or an answer. */
export function toExample(text: Piece): Html {
  return html`<div class="example">
    <pre><code>${text}</code></pre>
  </div>`;
}

function toText(value: Piece): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(toText).join("");
  if (value === undefined || value === null || value === false) return "";
  return String(value).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}
