/** A place for a file, which can also be chosen: the field lies over all of it, and browsers let files drop on it. */
import type { ChangeEvent, ReactNode } from "react";

import { IconButton } from "../../parts/button.tsx";
import { classNames } from "../../parts/class-names.ts";
import { Icon } from "../../parts/icon.tsx";
import styles from "./drop.module.css";

interface DropProps {
  /** What dbt calls the file. */
  name: string;
  /** The chosen one. */
  file: File | null;
  /** For a file that one can do without. */
  isSmall?: boolean;
  onDrop: (file: File) => void;
  /** If one can do without it. */
  onRemove?: () => void;
  /** Where the file comes from. Shown until one is chosen. */
  children: ReactNode;
}

export function Drop({ name, file, isSmall = false, onDrop, onRemove, children }: DropProps) {
  const choose = (event: ChangeEvent<HTMLInputElement>): void => {
    const [first] = event.target.files ?? [];
    if (first !== undefined) onDrop(first);
    // The same file may be chosen again after it was compiled again.
    event.target.value = "";
  };
  return (
    <div className={classNames(styles["drop"], isSmall && styles["small"])}>
      <label>
        <Icon name="upload" size={20} />
        <span>
          <strong>{file === null ? `Choose the new ${name}, or drop it here` : file.name}</strong>
          <span className={styles["hint"]}>{file === null ? children : "Choose another one to compare it."}</span>
        </span>
        <input type="file" accept=".json,application/json" aria-label={`The new ${name}`} onChange={choose} />
      </label>
      {file !== null && onRemove !== undefined && (
        <IconButton icon="close" label={`Compare without ${name}`} onClick={onRemove} />
      )}
    </div>
  );
}
