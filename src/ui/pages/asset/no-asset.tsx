import { Link } from "wouter";

import { Panel } from "../../parts/panel.tsx";

/** The page of an asset that does not exist. */
export function NoAsset() {
  return (
    <Panel isPage icon="search" title="There is no such asset" action={<Link href="/catalog">Search the catalog</Link>}>
      It may have been removed from its source since the link was made.
    </Panel>
  );
}
