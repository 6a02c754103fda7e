/** A text field with a list of options. The arrow keys and Enter choose one. */
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from "react";

import { classNames } from "./class-names.ts";
import styles from "./combobox.module.css";
import { Icon } from "./marks.tsx";

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
  /** True while the options belong to an earlier text. Enter waits for the options of the present one. */
  isPending: boolean;
  /** False if the options are hidden until something is typed. */
  isOpen?: boolean;
  autoFocus?: boolean;
  /** True if the list lies over the content below it. */
  floats?: boolean;
}

export function Combobox<O extends Option>(props: ComboboxProps<O>) {
  const { label, placeholder, text, onType, options, onChoose, isPending } = props;
  const { isOpen = true, autoFocus = false, floats } = props;
  const [index, setIndex] = useState(0);
  /** True if Enter was pressed before the options came. */
  const isAwaited = useRef(false);
  const chooseFirst = useEffectEvent(() => {
    if (isAwaited.current && options[0] !== undefined) onChoose(options[0]);
    isAwaited.current = false;
  });
  useEffect(() => {
    if (!isPending) chooseFirst();
  }, [isPending]);
  const id = useId();
  const chosen = isOpen ? Math.min(index, options.length - 1) : -1;
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const option = options[chosen];
    // Keep an option chosen by keyboard when results change.
    if (event.key === "Enter" && isPending && index === 0) isAwaited.current = true;
    else if (event.key === "Enter" && option !== undefined) onChoose(option);
    else if (step !== undefined && options.length > 0) setIndex((chosen + step + options.length) % options.length);
    else return;
    event.preventDefault();
  };
  return (
    <div className={classNames("relative", floats && styles["floating"])}>
      <div className={floats ? "input-box" : `input-box ${styles["field"]}`}>
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
            setIndex(0);
            isAwaited.current = false;
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {isOpen && (
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label="Results"
          aria-busy={isPending}
          className={classNames("hide-empty", floats && "popup", styles["list"])}
        >
          {options.map((option, at) => (
            // The keys of the text field choose among them.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={option.key}
              id={`${id}-${at}`}
              role="option"
              aria-selected={at === chosen}
              className={`option ${styles["option"]}`}
              onPointerMove={() => setIndex(at)}
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
