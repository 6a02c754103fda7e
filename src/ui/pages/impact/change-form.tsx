/** Chooses the column and the kind of change. */
import { type FormEvent, useState } from "react";
import { Link, useSearchParams } from "wouter";

import { parentOf, pathOfNode } from "../../assets/asset-row.ts";
import type { ResultOf } from "../../graphql/graphql.ts";
import { TypeIcon } from "../../parts/marks.tsx";
import { Button } from "../../parts/button.tsx";
import { SelectField, TextField } from "../../parts/form.tsx";
import { Segments } from "../../parts/menu.tsx";
import styles from "./change-form.module.css";
import type { SUBJECT } from "./documents.ts";
import { type ChangeType, listChanges, toChangeType } from "./change.ts";

type Node = NonNullable<ResultOf<typeof SUBJECT>["node"]>;
export type Subject = Extract<Node, { fqn: string }>;

/** For a column, the form shows its table and has the column chosen. */
export function choicesOf(subject: Subject) {
  const parent = "parent" in subject ? subject.parent : null;
  const columns = parent?.columns ?? ("columns" in subject ? subject.columns : []);
  return { whole: parent ?? subject, columns };
}

/** True if the form about this subject also offers the other one: its table, or a column of the same table. */
export function offers(subject: Subject, id: string): boolean {
  const { whole, columns } = choicesOf(subject);
  return whole.id === id || columns.some((column) => column.id === id);
}

interface ChangeFormProps {
  subject: Subject;
  changeType: ChangeType;
  newType: string;
  onAsk: (change: Partial<Question>) => void;
}

export function ChangeForm({ subject, changeType, newType, onAsk }: ChangeFormProps) {
  const changes = listChanges(subject.type);
  const { whole, columns } = choicesOf(subject);
  return (
    <section className="card padded stack" aria-label="The change">
      <div className="cluster">
        <TypeIcon type={whole.type} />
        <Link href={pathOfNode(whole)} className="name large wrap">
          {whole.name}
        </Link>
        <span className="hint wrap">{parentOf(whole)}</span>
        <Button
          label="Choose another"
          className="push"
          look="quiet"
          onClick={() => onAsk({ id: "", change: null, newType: "" })}
        />
      </div>
      <div className="cluster roomy top">
        {columns.length > 0 && (
          <SelectField
            label="Column"
            className={styles["column"]}
            value={subject.id}
            choices={[
              {
                value: whole.id,
                label: changeType === "asset_drop" ? "All of it" : "Any column (all that any of them affects)",
              },
              ...columns.map(({ id, name, dataType }) => ({
                value: id,
                label: dataType ? `${name} · ${dataType}` : name,
              })),
            ]}
            onChange={(event) => onAsk({ id: event.target.value })}
          />
        )}
        <div className="stack tight shrink">
          <span className="label" aria-hidden="true">
            Change
          </span>
          <Segments label="Change" value={changeType} choices={changes} onChoose={(change) => onAsk({ change })} />
        </div>
        {changeType === "type_change" && (
          <NewType key={newType} newType={newType} onChoose={(type) => onAsk({ change: changeType, newType: type })} />
        )}
      </div>
    </section>
  );
}

function NewType({ newType, onChoose }: { newType: string; onChoose: (newType: string) => void }) {
  const [text, setText] = useState(newType);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onChoose(text.trim());
  };
  return (
    <form className="stack tight" onSubmit={submit}>
      <TextField
        label="New type"
        placeholder="bigint"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => text.trim() !== newType && onChoose(text.trim())}
      />
      <p className="hint">
        {newType === "" ? "Without a type, the change counts as narrowing." : "Whether every value still fits decides."}
      </p>
    </form>
  );
}

/** The question: which change of which asset. It is in the URL, so that a link shows the same answer. */
export interface Question {
  /** Of an asset or metric; "" if none is chosen yet. */
  id: string;
  /** Null if none is chosen: the page then takes the one that fits what is changed. */
  change: ChangeType | null;
  newType: string;
}

export function useQuestion() {
  const [parameters, setParameters] = useSearchParams();
  const question: Question = {
    id: parameters.get("id") ?? "",
    change: toChangeType(parameters.get("change")),
    newType: parameters.get("type") ?? "",
  };
  return {
    question,
    /** What is left out stays as it is. */
    ask(change: Partial<Question>): void {
      const { id, change: chosen, newType } = { ...question, ...change };
      const isTyped = chosen === "type_change" && newType !== "";
      setParameters({ id, ...(chosen !== null && { change: chosen }), ...(isTyped && { type: newType }) });
    },
  };
}
