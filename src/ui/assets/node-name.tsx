/** The name of an asset or metric, and that of an owner: the same everywhere. */
import { Link } from "wouter";

import { type AssetRow, type NodeRow, ownerOf, pathOfNode, pathOfOwner } from "./asset-row.ts";
import { Highlight } from "./highlight.tsx";

interface NodeNameProps {
  node: Pick<NodeRow, "id" | "type" | "name" | "fqn">;
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
      <Highlight text={node.name} words={words} />
    </Link>
  );
}

interface OwnerNameProps {
  of: Pick<AssetRow, "owner" | "ownerName">;
  none?: string;
  /** Whether it leads to the owner's page. */
  isLink?: boolean;
}

/** A person or team by name, with the address on hover. */
export function OwnerName({ of, none = "no owner", isLink = false }: OwnerNameProps) {
  const name = ownerOf(of);
  if (name === null) return none;
  const address = of.owner ?? name;
  return isLink ? (
    <Link href={pathOfOwner(address)} title={address}>
      {name}
    </Link>
  ) : (
    <span title={address}>{name}</span>
  );
}
