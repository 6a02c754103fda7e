/** A text field with a list of options, of which the arrow keys and Enter choose one. */
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from "react";

import { classNames } from "./class-names.ts";
import styles from "./combobox.module.css";
import { Icon } from "./icon.tsx";

export interface Option {
  key: string;
  content: ReactNode;
}

interface ComboboxProps<O extends Option> {
  label: string;
  placeholder: string;
  text: string;
  onType: (text: string) => void;
  options: readonly O[];
  onChoose: (option: O) => void;
  /** True while the options are those of a text before. Enter then waits for those of this one. */
  isPending: boolean;
  /** False if the options are hidden until something is typed. */
  isOpen?: boolean;
  autoFocus?: boolean;
  /** Whether the list lies over what comes after it. */
  floats?: boolean;
}

export function Combobox<O extends Option>(props: ComboboxProps<O>) {
  const { label, placeholder, text, onType, options, onChoose, isPending } = props;
  const { isOpen = true, autoFocus = false, floats } = props;
  const [place, setPlace] = useState(0);
  /** Whether Enter was pressed before the options were there. */
  const isAwaited = useRef(false);
  const settle = useEffectEvent(() => {
    if (isAwaited.current && options[0] !== undefined) onChoose(options[0]);
    isAwaited.current = false;
  });
  useEffect(() => {
    if (!isPending) settle();
  }, [isPending]);
  const id = useId();
  const chosen = isOpen ? Math.min(place, options.length - 1) : -1;
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const option = options[chosen];
    // Keep an option chosen by keyboard when results change.
    if (event.key === "Enter" && isPending && place === 0) isAwaited.current = true;
    else if (event.key === "Enter" && option !== undefined) onChoose(option);
    else if (step !== undefined && options.length > 0) setPlace((chosen + step + options.length) % options.length);
    else return;
    event.preventDefault();
  };
  return (
    <div className={classNames(styles["combobox"], floats && styles["floating"])}>
      <div className={styles["field"]}>
        <Icon name="search" />
        <input
          role="combobox"
          aria-label={label}
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-list` : undefined}
          aria-activedescendant={chosen >= 0 ? `${id}-${chosen}` : undefined}
          placeholder={placeholder}
          value={text}
          autoComplete="off"
          autoFocus={autoFocus}
          onChange={(event) => {
            onType(event.target.value);
            setPlace(0);
            isAwaited.current = false;
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {isOpen && (
        <div id={`${id}-list`} role="listbox" aria-label="Results" aria-busy={isPending} className={styles["list"]}>
          {options.map((option, index) => (
            // The keys of the text field choose among them.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={option.key}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === chosen}
              className={styles["option"]}
              onPointerMove={() => setPlace(index)}
              onClick={() => onChoose(option)}
            >
              {option.content}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
