import { Component, type ReactNode } from "react";

import { Button } from "../../parts/button.tsx";
import { Panel } from "../../parts/panel.tsx";

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
