/** A few choices side by side, of which one is chosen. They are radio buttons, so that arrow keys move among them. */
import { useId } from "react";

import { Icon } from "./icon.tsx";
import type { ChoicesProps } from "./menu.tsx";

interface SegmentsProps<T extends string> extends ChoicesProps<T> {
  label: string;
}

export function Segments<T extends string>({ label, value, choices, onChoose }: SegmentsProps<T>) {
  const name = useId();
  return (
    <fieldset className="segments" aria-label={label}>
      {choices.map((choice) => (
        <label key={choice.value} className="segment">
          <input
            type="radio"
            className="overlay"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChoose(choice.value)}
          />
          {choice.icon && <Icon name={choice.icon} size={14} />}
          {choice.label}
        </label>
      ))}
    </fieldset>
  );
}
