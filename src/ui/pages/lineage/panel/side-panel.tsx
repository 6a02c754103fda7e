/** What is selected, beside the canvas. */
import type { ReactNode } from "react";

import { IconButton } from "../../../parts/button.tsx";
import styles from "./side-panel.module.css";

interface SidePanelProps {
  title: ReactNode;
  label: string;
  onClose: () => void;
  children: ReactNode;
}

export function SidePanel({ title, label, onClose, children }: SidePanelProps) {
  return (
    <aside className={`stack dialog-body ${styles["panel"]}`} aria-label={label}>
      <header className="row top spread">
        <h2 className="row">{title}</h2>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </header>
      {children}
    </aside>
  );
}
