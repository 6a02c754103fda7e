import type { ReactNode } from "react";
import { Link } from "wouter";

import { Panel } from "../../parts/page.tsx";

/** @param action what can be done, if it is not all of a page that shows this */
export function NoAsset({ action }: { action?: ReactNode }) {
  const search = <Link href="/catalog">Search the catalog</Link>;
  return (
    <Panel isPage={!action} icon="search" title="There is no such asset" action={action ?? search}>
      It may have been removed from its source since the link was made.
    </Panel>
  );
}
