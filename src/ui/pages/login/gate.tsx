/** The frame of the pages before the login. */
import type { ReactNode } from "react";

import { Brand } from "../../parts/brand.tsx";
import styles from "./gate.module.css";

export function Gate({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={`screen ${styles["gate"]}`}>
      <div className={`stack roomy ${styles["card"]}`}>
        <p className="row large strong">
          <Brand size={22} /> Tributary
        </p>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
