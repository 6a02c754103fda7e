/** The little of Jinja that this project's SQL and YAML use: ref, source, metric and doc. */

export interface Call {
  name: "ref" | "source" | "metric" | "doc";
  /** One argument, or two for `source`. */
  arguments: string[];
}

const CALL = /(ref|source|metric|doc)\(\s*'([^']+)'(?:\s*,\s*'([^']+)')?\s*\)/;
const BLOCK = new RegExp(String.raw`\{\{\s*${CALL.source}\s*\}\}`, "g");

function toCall(match: RegExpMatchArray): Call {
  const [, name, first, second] = match;
  if (first === undefined || !(name === "ref" || name === "source" || name === "metric" || name === "doc")) {
    throw new Error(`Not a call: ${match[0]}`);
  }
  return { name, arguments: second === undefined ? [first] : [first, second] };
}

/** Reads a call that stands alone, such as `ref('fct_orders')` in a property file. */
export function parseCall(text: string): Call {
  const match = new RegExp(`^${CALL.source}$`).exec(text);
  if (match === null) throw new Error(`Neither ref, source, metric nor doc: ${text}`);
  return toCall(match);
}

/**
 * Replaces every call in a text.
 * @throws Error where anything of Jinja is left.
 */
export function render(text: string, resolve: (call: Call) => string): { text: string; calls: Call[] } {
  const calls: Call[] = [];
  const rendered = text.replaceAll(BLOCK, (...match) => {
    const call = toCall(match);
    calls.push(call);
    return resolve(call);
  });
  if (/\{[{%#]/.test(rendered)) throw new Error(`More Jinja than ref, source and doc: ${rendered}`);
  return { text: rendered, calls };
}
