/** Finds what `ref('orders')` and `source('erp', 'orders')` name, by dbt's unique ids. */
import { fold } from "../../catalog/text.ts";

/** A quoted word, or a version such as `v=2`. */
const QUOTED = /'([^']*)'|"([^"]*)"/g;
const VERSION = /\bv(?:ersion)?\s*=\s*['"]?(\w+)['"]?/;

/** Unique ids of models, seeds, snapshots and sources, by what a reference may call them. */
export class InputNames {
  readonly #ids = new Map<string, string[]>();

  add(id: string): void {
    const [kind = "", packageName = "", ...name] = fold(id).split(".");
    const key = kind === "source" ? `source ${name.join(".")}` : `ref ${name.join(".")}`;
    // A model's id ends with its version, and the reference may leave that out.
    const [plain = ""] = name;
    const keys = kind === "source" ? [key] : new Set([key, `ref ${plain}`]);
    for (const each of keys) {
      for (const full of [each, `${each} in ${packageName}`]) this.#note(full, id);
    }
  }

  /** What more than one thing is called finds none of them: two are enough to know. */
  #note(name: string, id: string): void {
    const ids = this.#ids.get(name) ?? [];
    if (ids.length < 2) this.#ids.set(name, [...ids, id]);
  }

  /**
   * @param packageName whose own things come first
   * @returns the unique id; null where nothing, or more than one thing, is called so
   */
  find(reference: string, packageName: string): string | null {
    const [, call = "", inside = ""] = /^\s*(ref|source)\s*\(([^]*)\)\s*$/.exec(reference) ?? [];
    const words = [...inside.replace(VERSION, "").matchAll(QUOTED)].map(([, single, double]) =>
      fold(single ?? double ?? ""),
    );
    const version = VERSION.exec(inside)?.[1];
    const named = call === "source" ? words.slice(0, 2) : words.slice(-1);
    const owner = call === "ref" && words.length > 1 ? words[0] : undefined;
    if (named.length === 0 || named.includes("")) return null;
    const name = `${call} ${named.join(".")}${version === undefined ? "" : `.v${fold(version)}`}`;
    for (const place of [owner ?? fold(packageName), ...(owner === undefined ? [null] : [])]) {
      const [id, ...others] = this.#ids.get(place === null ? name : `${name} in ${place}`) ?? [];
      if (id !== undefined && others.length === 0) return id;
    }
    return null;
  }
}
