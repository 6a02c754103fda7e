import type { ReactNode } from "react";

import { NoPermission } from "../../parts/page.tsx";
import { useIsAdmin } from "./session.ts";

interface AdminsOnlyProps {
  /** What only admins do, such as `add connectors`. */
  what: string;
  /** True if the page has nothing else. */
  isPage?: boolean;
  children: ReactNode;
}

/** Shows its content to admins. Others read that they may not see it. */
export function AdminsOnly({ what, isPage = false, children }: AdminsOnlyProps) {
  if (useIsAdmin()) return children;
  return <NoPermission isPage={isPage} needs={`Only admins ${what}. Ask an admin of this workspace.`} />;
}
