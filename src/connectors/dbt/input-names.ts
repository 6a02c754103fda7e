/** Finds dbt's unique id for `ref('orders')` and `source('erp', 'orders')`. */
import { fold } from "../../catalog/text.ts";

/** A quoted word, or a version such as `v=2`. */
const QUOTED = /'([^']*)'|"([^"]*)"/g;
const VERSION = /\bv(?:ersion)?\s*=\s*['"]?(\w+)['"]?/;

/** Unique ids of models, seeds, snapshots and sources, by the names that a reference may use. */
export class InputNames {
  readonly #ids = new Map<string, string[]>();

  add(id: string): void {
    const [kind = "", packageName = "", ...name] = fold(id).split(".");
    const key = kind === "source" ? `source ${name.join(".")}` : `ref ${name.join(".")}`;
    // The id of a versioned model ends with its version, which a reference may leave out.
    const [plain = ""] = name;
    const keys = kind === "source" ? [key] : new Set([key, `ref ${plain}`]);
    for (const each of keys) {
      for (const full of [each, `${each} in ${packageName}`]) this.#note(full, id);
    }
  }

  /** Two ids are enough to know that a name is ambiguous, so further ones are not kept. */
  #note(name: string, id: string): void {
    const ids = this.#ids.get(name) ?? [];
    if (ids.length < 2) this.#ids.set(name, [...ids, id]);
  }

  /**
   * @param packageName the package of the reference, in which it is looked up first
   * @returns the unique id; null if the name is unknown or ambiguous
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
    for (const location of [owner ?? fold(packageName), ...(owner === undefined ? [null] : [])]) {
      const [id, ...others] = this.#ids.get(location === null ? name : `${name} in ${location}`) ?? [];
      if (id !== undefined && others.length === 0) return id;
    }
    return null;
  }
}
