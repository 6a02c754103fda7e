/** The fields of a connector's options, made from the JSON Schema of its type. */
import { type ReactNode, useEffect, useRef } from "react";

import { SelectField, TextField } from "../../parts/form.tsx";
import styles from "./connectors.module.css";
import type { ConnectorType } from "./documents.ts";

/** How many fields are always shown. The others are folded away. */
const SHOWN = 4;

interface FieldNote {
  severity: "error" | "warning";
  message: string;
}

/** What is to be said of single fields, by their names in the input, such as `name` or `options.url`. */
export type FieldNotes = Readonly<Record<string, FieldNote>>;

interface OptionFieldsProps {
  type: ConnectorType;
  /** The values that are stored, without secrets. */
  values: Readonly<Record<string, unknown>>;
  /** The secrets that are stored. */
  storedSecrets: readonly string[];
  notes: FieldNotes;
}

export function OptionFields({ type, values, storedSecrets, notes }: OptionFieldsProps) {
  const fields = listOptionFields(type);
  const isUsed = ({ name, isRequired }: OptionField): boolean =>
    isRequired || values[name] !== undefined || storedSecrets.includes(name);
  const first = fields.filter((field, index) => index < SHOWN || isUsed(field));
  const rest = fields.filter((field) => !first.includes(field));
  const firstPath = fields.find(({ name }) => type.pathOptions.includes(name))?.name;
  const show = (field: OptionField) => (
    <Option
      key={field.name}
      field={field}
      value={values[field.name]}
      isStored={storedSecrets.includes(field.name)}
      isFirstPath={field.name === firstPath}
      note={notes[`options.${field.name}`]}
    />
  );
  return (
    <>
      {first.map(show)}
      {rest.length > 0 && (
        <More count={rest.length} hasNote={rest.some(({ name }) => notes[`options.${name}`] !== undefined)}>
          {rest.map(show)}
        </More>
      )}
    </>
  );
}

/** Opens if something in it is wrong; otherwise people open and close it. */
function More({ count, hasNote, children }: { count: number; hasNote: boolean; children: ReactNode }) {
  const element = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (hasNote && element.current !== null) element.current.open = true;
  }, [hasNote]);
  return (
    <details ref={element} className={`stack roomy ${styles["more"]}`}>
      <summary className="soft medium">
        {count} more {count === 1 ? "option" : "options"}
      </summary>
      <div className="stack roomy">{children}</div>
    </details>
  );
}

interface OptionProps {
  field: OptionField;
  value: unknown;
  /** Whether it is a secret that is set. */
  isStored: boolean;
  /** Whether it is the first that may be a path: it says which paths are permitted. */
  isFirstPath: boolean;
  note: FieldNote | undefined;
}

function Option({ field, value, isStored, isFirstPath, note }: OptionProps) {
  const { name, label, description, isRequired, isSecret, choices, standard } = field;
  const common = {
    label: isRequired ? `${label} (required)` : label,
    name: `options.${name}`,
    hint: isFirstPath ? (
      <>
        {description}. Paths must be in a folder that the server permits with its setting <code>CONNECTOR_FOLDERS</code>
        .
      </>
    ) : (
      description
    ),
    warning: note?.severity === "warning" ? note.message : null,
  };
  if (choices !== null) {
    const standing = standard === "" ? "By default" : `By default: ${standard}`;
    const options = choices.map((choice) => ({ value: choice, label: choice }));
    return (
      <SelectField
        {...common}
        choices={[{ value: "", label: standing }, ...options]}
        defaultValue={typeof value === "string" ? value : ""}
      />
    );
  }
  if (isSecret) {
    return (
      <TextField
        {...common}
        type="password"
        autoComplete="new-password"
        required={isRequired && !isStored}
        placeholder={isStored ? "Set. Leave it empty to keep it." : undefined}
      />
    );
  }
  return (
    <TextField
      {...common}
      autoComplete="off"
      spellCheck={false}
      required={isRequired}
      placeholder={standard || undefined}
      defaultValue={typeof value === "string" ? value : ""}
    />
  );
}

/**
 * What the form says of the options of a connector, without what is stored already: null removes one. Secrets that are
 * left empty stay.
 * @param stored the values that are stored, without secrets; none for a new connector
 */
export function readOptions(
  form: FormData,
  type: ConnectorType,
  stored: Readonly<Record<string, unknown>> = {},
): Record<string, string | null> {
  return Object.fromEntries(
    listOptionFields(type).flatMap(({ name, isSecret }) => {
      const text = String(form.get(`options.${name}`) ?? "");
      const isEmpty = text.trim() === "";
      const isKept = isEmpty ? isSecret || !stored[name] : !isSecret && text === stored[name];
      return isKept ? [] : [[name, isEmpty ? null : text] as const];
    }),
  );
}

type OptionField = ReturnType<typeof listOptionFields>[number];

/** Fields in the order of the schema, what is required first. */
function listOptionFields({ options, secretOptions }: Pick<ConnectorType, "options" | "secretOptions">) {
  const required = new Set(Array.isArray(options["required"]) ? options["required"] : []);
  const fields = Object.entries(toRecord(options["properties"])).map(([name, schema]) => {
    const { description, enum: choices, default: standard } = toRecord(schema);
    return {
      name,
      label: toLabel(name),
      description: typeof description === "string" ? description : "",
      isRequired: required.has(name),
      isSecret: secretOptions.includes(name),
      /** What can be chosen; null if it is any text. */
      choices: Array.isArray(choices) ? choices.filter((choice) => typeof choice === "string") : null,
      /** What counts if nothing is given. */
      standard: typeof standard === "string" ? standard : "",
    };
  });
  return fields.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

const WORDS: Readonly<Record<string, string>> = { url: "URL", ssl: "SSL", dbt: "dbt", id: "id", dags: "DAGs" };

/** `ssl_root_cert` is `SSL root cert`. */
function toLabel(name: string): string {
  const text = name
    .split("_")
    .map((word) => WORDS[word] ?? word)
    .join(" ");
  return text.startsWith("dbt") ? text : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
