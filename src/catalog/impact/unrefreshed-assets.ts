/** What no change reaches, and what would get no new data all the same. */
import type { CatalogNode } from "../asset.ts";

export interface Unrefreshed extends Pick<CatalogNode, "id" | "name" | "fqn" | "type" | "owner" | "ownerName"> {
  /** What it gets its data from, and what cannot be built, in one sentence. */
  reason: string;
}

export interface UnrefreshedAssets {
  /** All of them by type and owner, kept or not. */
  groups: (Pick<Unrefreshed, "type" | "owner" | "ownerName"> & { count: number })[];
  /** Those that people look at come first, then the nearest. */
  nodes: Unrefreshed[];
  /** True when not all of them were kept. */
  truncated: boolean;
}
