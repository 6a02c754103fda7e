/** The name of an asset or metric, the same everywhere. */
import { Link } from "wouter";

import { type NodeRow, pathOfNode } from "./asset-row.ts";
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
