/** The frame of the workspace: navigation, the page, the command palette, messages. */
import { Suspense, useEffect, useState } from "react";
import { Link, Route, Switch, useLocation, useSearchParams } from "wouter";
import { useMutation } from "urql";

import { IconButton } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/marks.tsx";
import { Panel, Skeleton, useTitle } from "../../parts/page.tsx";
import { Toasts } from "../../parts/toast.tsx";
import { HOME, NOTICES } from "../home.ts";
import { Palette } from "../palette/palette.tsx";
import { PAGES } from "../pages.ts";
import { noteLoadedPage, PageBoundary } from "./page-boundary.tsx";
import { UnreadBadge, WatchNotices } from "../unread.tsx";
import { useHotkey } from "../use-hotkey.ts";
import { mutation } from "../../graphql/graphql.ts";
import { Navigation, WorkspaceName } from "./navigation.tsx";
import styles from "./shell.module.css";

export function Shell() {
  const [isSearching, setSearching] = useState(false);
  const [path] = useLocation();
  /** The path at which the drawer was opened. A link in the drawer leads to another path, which closes it. */
  const [drawerPath, setDrawerPath] = useState<string | null>(null);
  const closeDrawer = (): void => setDrawerPath(null);
  const search = (): void => {
    closeDrawer();
    setSearching(true);
  };
  useNoteSeen();
  useHotkey("/", search);
  useHotkey("mod+k", () => setSearching((open) => !open));
  return (
    <div className={styles["shell"]}>
      <a className={styles["skip"]} href="#page">
        Skip to the page
      </a>
      <aside className={`pinned sunken ${styles["side"]}`}>
        <Navigation onSearch={search} />
      </aside>
      <header className={`row ${styles["top"]}`}>
        <IconButton icon="menu" label="Menu" onClick={() => setDrawerPath(path)} />
        <WorkspaceName />
        <Link href={NOTICES} className={`row inline push soft ${styles["bell"]}`}>
          <Icon name="bell" />
          <span className="unseen">Notices</span> <UnreadBadge />
        </Link>
        <IconButton icon="search" label="Search" onClick={search} />
      </header>
      <main id="page" className={`shrink ${styles["page"]}`} tabIndex={-1}>
        <PageBoundary key={path}>
          <Suspense
            fallback={
              <div className="page">
                <Skeleton rows={8} label="Loading the page" />
              </div>
            }
          >
            <Switch>
              {PAGES.map(({ path: pattern, component: Component }) => (
                <Route key={pattern} path={pattern}>
                  <Component />
                </Route>
              ))}
              <Route>
                <NotFoundPage />
              </Route>
            </Switch>
            <LoadedPage />
          </Suspense>
        </PageBoundary>
      </main>
      {isSearching && <Palette onClose={() => setSearching(false)} />}
      {drawerPath === path && (
        <Dialog title="Menu" hidesTitle onClose={closeDrawer} className={`sunken ${styles["drawer"]}`}>
          <Navigation onSearch={search} />
        </Dialog>
      )}
      <Toasts />
      <WatchNotices />
    </div>
  );
}

/** Beside a page, this is shown only when the page's file has been loaded. */
function LoadedPage() {
  useEffect(noteLoadedPage, []);
  return null;
}

const NOTE = mutation("noteSeen", "id");

const PAGES_SEEN = { assets: "asset", metrics: "asset", lineage: "lineage", impact: "impact" } as const;

/** The id and the page that a path shows; null for pages of something else. */
function readPath(path: string, impactOf: string | null) {
  const [, room = "", id = ""] = path.split("/");
  const page = Object.entries(PAGES_SEEN).find(([name]) => name === room)?.[1];
  if (page === undefined) return null;
  if (page === "impact") return path === "/impact" && impactOf !== null ? { id: impactOf, page } : null;
  return id === "" || id === "new" ? null : { id, page };
}

/** Notes which assets and metrics a person opens, for the list of what the person saw last. */
function useNoteSeen(): void {
  const [path] = useLocation();
  const [parameters] = useSearchParams();
  const [, note] = useMutation(NOTE);
  const seen = readPath(path, parameters.get("id"));
  const [id, page] = [seen?.id, seen?.page];
  useEffect(() => {
    // A refusal changes nothing for the reader: the page itself says if there is no such asset.
    if (id !== undefined && page !== undefined) void note({ input: { id, page } });
  }, [id, page, note]);
}

function NotFoundPage() {
  useTitle("Not found");
  return (
    <Panel isPage icon="search" title="There is no such page" action={<Link href={HOME}>Go to the catalog</Link>}>
      The link may be old, or a character of it may be missing.
    </Panel>
  );
}
