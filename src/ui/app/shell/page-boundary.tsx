import { Component, type ReactNode } from "react";

import { Button } from "../../parts/button.tsx";
import { Panel } from "../../parts/page.tsx";

/** Keeps the navigation if a page breaks. */
export class PageBoundary extends Component<{ children: ReactNode }, { hasBroken: boolean }> {
  override state = { hasBroken: false };

  static getDerivedStateFromError() {
    return { hasBroken: true };
  }

  override render() {
    if (!this.state.hasBroken) return this.props.children;
    return (
      <Panel
        isPage
        icon="warning"
        title="This page has a fault"
        action={<Button label="Load it again" onClick={() => location.reload()} />}
      >
        Other pages may work. The browser's console has the details for a report.
      </Panel>
    );
  }
}

/** Set in this tab from such a reload until a page has loaded. */
const KEY = "tributary.reloaded";

/**
 * Loads the page again if one of its files is gone, as after an upgrade: its new version names the new files. If that
 * does not help, the boundary says so.
 */
export function reloadOnce(): void {
  if (sessionStorage.getItem(KEY) !== null) return;
  sessionStorage.setItem(KEY, "1");
  location.reload();
}

/** Called when a page has loaded, so that the next upgrade is noticed too. */
export function noteLoadedPage(): void {
  sessionStorage.removeItem(KEY);
}
