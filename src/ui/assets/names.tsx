/** Names that lead to pages: of assets, metrics, people and tags, the same everywhere. */
import { Link } from "wouter";

import { pathOfOwner, type Person, usePerson, pathOfTag, type NodeRow, pathOfNode } from "./asset-row.ts";
import { Badge } from "../parts/marks.tsx";

interface PersonNameProps {
  of: Person | null;
  /** Shown if there is nobody. */
  none?: string;
  /** Whether it leads to the page of what the person owns. */
  isLink?: boolean;
}

/** The name, with the address on hover and for screen readers. */
export function PersonName({ of, none = "no owner", isLink = false }: PersonNameProps) {
  if (of === null) return none;
  const { address, name } = of;
  const shown = (
    <>
      {name}
      {address !== null && address !== name && <span className="unseen"> ({address})</span>}
    </>
  );
  return isLink ? (
    <Link href={pathOfOwner(address ?? name)} title={address ?? name}>
      {shown}
    </Link>
  ) : (
    <span title={address ?? name}>{shown}</span>
  );
}

/** The name of the person whom a filter or a rule means by an address. */
export function NamedPerson({ named }: { named: string }) {
  return <PersonName of={usePerson(named)} />;
}

/** Tags that lead to their pages. */
export function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <span className="cluster tight">
      {tags.map((tag) => (
        <Link key={tag} href={pathOfTag(tag)}>
          <Badge label={tag} />
        </Link>
      ))}
    </span>
  );
}

interface NodeNameProps {
  node: Pick<NodeRow, "id" | "type" | "name" | "fqn"> & { displayName?: string };
  className?: string | undefined;
  /** Words of a search, which are marked. */
  words?: readonly string[];
  /** Whether the keys of a list move to it. */
  isRow?: boolean;
}

const NO_WORDS: readonly string[] = [];

/** Leads to its page, and shows the fully qualified name on hover. */
export function NodeName({ node, className = "name", words = NO_WORDS, isRow = false }: NodeNameProps) {
  return (
    <Link href={pathOfNode(node)} className={className} title={node.fqn} data-row={isRow || undefined}>
      <Highlight text={node.displayName ?? node.name} words={words} />
    </Link>
  );
}

/** Characters around the first mark of a long text. */
const CONTEXT = 60;

interface HighlightProps {
  text: string;
  /** In lower case. */
  words: readonly string[];
  /** Cut a long text to what is around the first word. */
  cuts?: boolean;
}

/** Marks the words of a search in a text. */
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
