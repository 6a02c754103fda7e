import { Link } from "wouter";

import { HOME } from "../../app/home.ts";
import { useTitle } from "../../parts/page.tsx";
import { Panel } from "../../parts/panel.tsx";

export function NotFoundPage() {
  useTitle("Not found");
  return (
    <Panel isPage icon="search" title="There is no such page" action={<Link href={HOME}>Go to the catalog</Link>}>
      The link may be old, or a character of it may be missing.
    </Panel>
  );
}
