/** An area to drop a file on, or to choose one: a file field lies over all of it, and browsers accept drops on it. */
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
  /** True for an optional file. */
  isSmall?: boolean;
  onDrop: (file: File) => void;
  /** For an optional file. */
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
    <div className={classNames("card row", styles["drop"], isSmall && styles["small"])}>
      <label className="row grow">
        <Icon name="upload" size={20} />
        <span className="grow ink wrap">
          <strong className={isSmall ? "medium" : "strong"}>
            {file === null ? `Choose the new ${name}, or drop it here` : file.name}
          </strong>
          <span className="soft small block">{file === null ? children : "Choose another one to compare it."}</span>
        </span>
        <input
          className="overlay"
          type="file"
          accept=".json,application/json"
          aria-label={`The new ${name}`}
          onChange={choose}
        />
      </label>
      {file !== null && onRemove !== undefined && (
        <IconButton icon="close" label={`Compare without ${name}`} onClick={onRemove} />
      )}
    </div>
  );
}
