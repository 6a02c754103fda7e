/** The filters of a list, as fields of what the URL says, so that a link shows the same list. */
import type { ComponentProps } from "react";

import { Button } from "./button.tsx";
import { SelectField, TextField } from "./form.tsx";
import { useParameters } from "./use-parameters.ts";

interface Filter extends Pick<ComponentProps<typeof TextField>, "label" | "type" | "hint" | "placeholder"> {
  /** Of its parameter. */
  name: string;
  /** What can be chosen, and its words; any text if there is none. */
  choices?: Readonly<Record<string, string>>;
}

export function FilterBar({ filters }: { filters: readonly Filter[] }) {
  const { parameters, setParameter, clear } = useParameters();
  return (
    <search className="pair" aria-label="Filters">
      {filters.map(({ name, choices, ...rest }) => {
        const value = parameters.get(name) ?? "";
        const choose = ({ target }: { target: { value: string } }): void => {
          if (target.value.trim() !== value) setParameter(name, target.value.trim());
        };
        if (choices !== undefined) {
          const all = Object.entries({ "": "Everything", ...choices });
          const options = all.map(([key, label]) => ({ value: key, label }));
          return <SelectField key={name} label={rest.label} choices={options} value={value} onChange={choose} />;
        }
        if (rest.type === "date")
          return <TextField key={name} {...rest} value={value.slice(0, "2026-05-31".length)} onChange={choose} />;
        return (
          <TextField
            key={`${name} ${value}`}
            {...rest}
            defaultValue={value}
            onBlur={choose}
            onKeyDown={({ key, currentTarget }) => key === "Enter" && currentTarget.blur()}
          />
        );
      })}
      {filters.some(({ name }) => parameters.has(name)) && <Button label="Clear" onClick={clear} />}
    </search>
  );
}
