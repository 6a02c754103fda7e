/** How the command line names assets in a list. */
import { splitIdentifier } from "../catalog/search.ts";
import { shortPath } from "../catalog/short-path.ts";
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
 * A long path is cut to its end, by which commands find it too, if no other one in the list ends so.
 * @param listed the assets of the list
 */
export function labelsOf<T extends Listed>(listed: readonly T[]): (asset: T) => string {
  const byFqn = Map.groupBy(listed, ({ fqn }) => fold(fqn));
  const byEnd = Map.groupBy(byFqn.keys(), shortPath);
  return ({ id, name, fqn }) => {
    const title = wordsOf(fqn).endsWith(wordsOf(name)) ? "" : ` “${name}”`;
    const isOne = id === undefined || byFqn.get(fold(fqn))?.every((other) => other.id === id) !== false;
    const short = shortPath(fqn);
    const label = byEnd.get(fold(short))?.length === 1 ? short : fqn;
    return `${label}${title}${isOne ? "" : ` (id ${id})`}`;
  };
}

function wordsOf(name: string): string {
  return splitIdentifier(name).join(" ");
}
