/** How the command line names assets in a list. */
import { splitIdentifier } from "../catalog/search.ts";
import { fold } from "../catalog/text.ts";

/** An asset as lists have it. A report may leave its id out. */
interface Listed {
  id?: string;
  name: string;
  fqn: string;
}

/**
 * An asset is named by its fully qualified name, by which commands find it, with its title if that says something else,
 * as that of a question does: card.12 “Revenue by day”. If another one in the list has the same name, its id is added.
 * @param listed the assets of the list
 */
export function labelsOf<T extends Listed>(listed: readonly T[]): (asset: T) => string {
  const byFqn = Map.groupBy(listed, ({ fqn }) => fold(fqn));
  return ({ id, name, fqn }) => {
    const title = wordsOf(fqn).endsWith(wordsOf(name)) ? "" : ` “${name}”`;
    const isOne = id === undefined || byFqn.get(fold(fqn))?.every((other) => other.id === id) !== false;
    return `${fqn}${title}${isOne ? "" : ` (id ${id})`}`;
  };
}

function wordsOf(name: string): string {
  return splitIdentifier(name).join(" ");
}
