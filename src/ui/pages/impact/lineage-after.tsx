/** The lineage as it would be with the manifest: what differs, and where the canvas shows it. */
import { createContext, use } from "react";
import { Link } from "wouter";

import { Badge, TypeIcon } from "../../parts/marks.tsx";
import { formatCount } from "../../parts/count.ts";
import { Section } from "../../parts/page.tsx";
import { DIFFERENCE_MARKS } from "../lineage/model/diff.ts";
import { pathOfComparedLineage } from "../lineage/model/url-state.ts";
import type { ChangeSetAnswer } from "./documents.ts";

/** The id of the saved answer that is shown; null if there is none. */
export const SavedImpact = createContext<string | null>(null);

const SHOWN = 50;

interface LineageLinkProps {
  /** An asset or metric; null for a column whose table is not known. */
  of: string | null;
  /** What the link is about, for screen readers. */
  name: string;
  /** How far what changes is upstream; null if it is new, so that nothing is known around it but what the manifest adds. */
  hops?: number | null;
}

/** Leads to the canvas. Nothing if the answer is not that to a manifest, or not saved. */
export function LineageLink({ of, name, hops = 1 }: LineageLinkProps) {
  const saved = use(SavedImpact);
  if (saved === null || of === null) return null;
  return (
    <Link
      href={pathOfComparedLineage(of, saved, hops)}
      className="small nowrap"
      aria-label={`Lineage after it: ${name}`}
    >
      Lineage after it
    </Link>
  );
}

export function LineageAfter({ lineage: { nodes, edges, truncated } }: Pick<ChangeSetAnswer, "lineage">) {
  const count = nodes.length + edges.length;
  if (count === 0) return null;
  const shownEdges = edges.slice(0, Math.max(SHOWN - nodes.length, 0));
  const left = count - Math.min(nodes.length, SHOWN) - shownEdges.length;
  return (
    <Section title="Lineage" count={count}>
      <ul className="lines">
        {nodes.slice(0, SHOWN).map(({ difference, asset }) => (
          <li key={asset.id} className="line beside-icon wrap">
            <TypeIcon type={asset.type} />
            <span className="words">
              {asset.fqn} <Badge label={difference} {...DIFFERENCE_MARKS[difference]} />
              <LineageLink of={asset.id} name={asset.name} hops={difference === "added" ? null : 1} />
            </span>
          </li>
        ))}
        {shownEdges.map(({ difference, from, to }) => (
          <li key={`${from.fqn} ${to.fqn}`} className="line soft wrap">
            {from.fqn} → {to.fqn} <Badge label={difference} {...DIFFERENCE_MARKS[difference]} />
          </li>
        ))}
      </ul>
      {left > 0 && <p className="hint">And {formatCount(left)} more.</p>}
      {truncated && <p className="hint">The manifest changes more than is kept: only the first changes are known.</p>}
    </Section>
  );
}
