/** A field that can be edited in place. It names the last editor, and can be reset to the source's value. */
import { KnownOwners } from "../../assets/known-owners.tsx";
import { PersonName } from "../../assets/names.tsx";
import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useState } from "react";

import { useMayWrite } from "../../app/session/session.ts";
import { useChange } from "../../graphql/requests.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { Time } from "../../parts/time.tsx";
import { showToast } from "../../parts/toast.tsx";
import { type AssetDetail, UPDATE_ASSET } from "./documents.ts";
import styles from "./editable-text.module.css";

type Field = "description" | "owner" | "tags";

const HINTS: Record<Field, string> = {
  description: "Text, or Markdown.",
  owner: "An e-mail address.",
  tags: "Separated by commas.",
};

/** An asset or a column, as far as people edit it. */
type Edited = Pick<AssetDetail, "id" | "name" | "description" | "owner" | "tags" | "edits">;

interface EditableTextProps {
  asset: Edited;
  field: Field;
  /** True among others of its kind: the button says whose field it edits, and nobody reads who edited it. */
  isInList?: boolean;
  empty: string;
  children: ReactNode;
}

export function EditableText({ asset, field, isInList = false, empty, children }: EditableTextProps) {
  const [isEditing, setEditing] = useState(false);
  const mayWrite = useMayWrite();
  const edit = asset.edits.find((it) => it.field === field && !it.isReset);
  if (isEditing)
    return <Editor asset={asset} field={field} isEdited={edit !== undefined} onEnd={() => setEditing(false)} />;
  return (
    <div className="row top">
      <div className="grow">
        {children || <span className="faint">{empty}</span>}
        {edit && !isInList && (
          <small className="hint">
            edited by <PersonName of={edit.editor} none="somebody" />, <Time at={edit.at} />
          </small>
        )}
      </div>
      {mayWrite && (
        <IconButton
          className={styles["pen"]}
          icon="edit"
          label={isInList ? `Edit the ${field} of ${asset.name}` : `Edit the ${field}`}
          onClick={() => setEditing(true)}
        />
      )}
    </div>
  );
}

interface EditorProps {
  asset: Edited;
  field: Field;
  isEdited: boolean;
  onEnd: () => void;
}

function Editor({ asset, field, isEdited, onEnd }: EditorProps) {
  const [text, setText] = useState(() => toText(asset, field));
  // What it showed when the editing began. Who saves again after a conflict was told what somebody else wrote meanwhile.
  const [expected, setExpected] = useState<object | null>({ [field]: asset[field] ?? "" });
  const { change, isBusy, fault } = useChange(UPDATE_ASSET, {
    onRefused: (code) => code === "CONFLICT" && setExpected(null),
  });
  const id = useId();
  const save = async (value: string | string[] | null): Promise<void> => {
    if ((await change({ input: { id: asset.id, [field]: value, expected } })) === null) return;
    showToast(`The ${field} ${field === "tags" ? "are" : "is"} ${value === null ? "the source's again" : "saved"}.`);
    onEnd();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void save(toValue(text, field));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") onEnd();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event);
  };
  const properties = {
    className: "input",
    "aria-label": `The ${field}`,
    "aria-describedby": id,
    "aria-invalid": fault === null ? undefined : true,
    autoFocus: true,
    value: text,
    onChange: (event: { target: { value: string } }) => setText(event.target.value),
    onKeyDown,
  };
  return (
    <form className="stack snug" onSubmit={submit}>
      {field === "description" ? (
        <textarea rows={5} {...properties} />
      ) : (
        <input {...properties} list={field === "owner" ? `${id}-owners` : undefined} />
      )}
      {field === "owner" && <KnownOwners id={`${id}-owners`} />}
      <p id={id} className={fault === null ? "hint" : "bad small"} role={fault === null ? undefined : "alert"}>
        {fault ?? HINTS[field]}
      </p>
      <div className="cluster">
        <Button label="Save" type="submit" look="primary" isBusy={isBusy} />
        <Button label="Cancel" onClick={onEnd} />
        {isEdited && <Button label="Use the source’s" look="quiet" isBusy={isBusy} onClick={() => void save(null)} />}
      </div>
    </form>
  );
}

function toText(asset: Edited, field: Field): string {
  return field === "tags" ? asset.tags.join(", ") : (asset[field] ?? "");
}

function toValue(text: string, field: Field): string | string[] {
  if (field !== "tags") return text.trim();
  return text
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
}
