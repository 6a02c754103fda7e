/** Choices: menus that open from a button, and a few choices side by side. */
import * as DropdownMenu from "@radix-ui/react-dropdown-menu";
import { type ReactNode, useId } from "react";

import { Icon, type IconName } from "./marks.tsx";
import styles from "./menu.module.css";

interface MenuProps {
  /** The button. It must pass on its properties and its ref. */
  trigger: ReactNode;
  children: ReactNode;
  side?: "top" | "bottom" | "right";
}

/** It is not modal: the page's policy forbids the inline styles that lock it. */
export function Menu({ trigger, children, side = "bottom" }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      {/* It stays where its button is, so that it is in the same landmark, and above the same dialog. */}
      <DropdownMenu.Content
        className={`popup ${styles["menu"]}`}
        side={side}
        align="start"
        sideOffset={4}
        collisionPadding={8}
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}

export function MenuItem({ icon, label, onSelect }: { icon?: IconName; label: string; onSelect: () => void }) {
  return (
    <DropdownMenu.Item className={`option ${styles["item"]}`} onSelect={onSelect}>
      {icon && <Icon name={icon} size={14} />}
      {label}
    </DropdownMenu.Item>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className={`faint medium ${styles["label"]}`}>{children}</DropdownMenu.Label>;
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className={`line-above ${styles["separator"]}`} />;
}

interface Choice<T extends string> {
  value: T;
  label: string;
  icon?: IconName;
}

interface ChoicesProps<T extends string> {
  value: T;
  choices: readonly Choice<T>[];
  onChoose: (value: T) => void;
}

/** Items of which one is chosen. */
export function MenuChoices<T extends string>({ value, choices, onChoose }: ChoicesProps<T>) {
  return (
    <DropdownMenu.RadioGroup value={value}>
      {choices.map((choice) => (
        <DropdownMenu.RadioItem
          key={choice.value}
          value={choice.value}
          className={`option ${styles["item"]}`}
          onSelect={() => onChoose(choice.value)}
        >
          {choice.icon && <Icon name={choice.icon} size={14} />}
          {choice.label}
          <DropdownMenu.ItemIndicator className="push">
            <Icon name="check" size={14} />
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

/** A few choices side by side, of which one is chosen. They are radio buttons, so that arrow keys move among them. */
export function Segments<T extends string>({ label, value, choices, onChoose }: ChoicesProps<T> & { label: string }) {
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
