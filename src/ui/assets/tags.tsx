import { Link } from "wouter";

import { Badge } from "../parts/badge.tsx";
import { pathOfTag } from "./asset-row.ts";

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
