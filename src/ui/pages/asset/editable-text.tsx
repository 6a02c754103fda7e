/** A field that those who may write can edit in place. It says who edited it last, and can go back to the source's. */
import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { useMutation } from "urql";

import { useMayWrite } from "../../app/session/use-session.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { describeError } from "../../parts/panel.tsx";
import { Time } from "../../parts/time.tsx";
import { showToast } from "../../parts/toast.tsx";
import { type AssetDetail, UPDATE_ASSET } from "./documents.ts";
import styles from "./editable-text.module.css";

type Field = "description" | "owner" | "tags";

const WORDS: Record<Field, { name: string; hint: string }> = {
  description: { name: "description", hint: "Text, or Markdown." },
  owner: { name: "owner", hint: "An e-mail address." },
  tags: { name: "tags", hint: "Separated by commas." },
};

interface EditableTextProps {
  asset: AssetDetail;
  field: Field;
  /** Shown in the place of an empty value. */
  empty: string;
  children: ReactNode;
}

export function EditableText({ asset, field, empty, children }: EditableTextProps) {
  const [isEditing, setEditing] = useState(false);
  const mayWrite = useMayWrite();
  const edit = asset.edits.find((it) => it.field === field && !it.isReset);
  if (isEditing)
    return <Editor asset={asset} field={field} isEdited={edit !== undefined} onEnd={() => setEditing(false)} />;
  return (
    <div className={styles["shown"]}>
      <div className={styles["value"]}>
        {children || <span className={styles["empty"]}>{empty}</span>}
        {edit && (
          <small className={styles["by"]}>
            edited by {edit.by}, <Time at={edit.at} />
          </small>
        )}
      </div>
      {mayWrite && (
        <IconButton
          className={styles["pen"]}
          icon="edit"
          label={`Edit the ${WORDS[field].name}`}
          onClick={() => setEditing(true)}
        />
      )}
    </div>
  );
}

interface EditorProps {
  asset: AssetDetail;
  field: Field;
  /** Whether the shown value is somebody's, and not the source's. */
  isEdited: boolean;
  onEnd: () => void;
}

function Editor({ asset, field, isEdited, onEnd }: EditorProps) {
  const [text, setText] = useState(() => toText(asset, field));
  const [fault, setFault] = useState<string | null>(null);
  const [{ fetching }, update] = useMutation(UPDATE_ASSET);
  const id = useId();
  const save = async (value: string | string[] | null): Promise<void> => {
    const { error } = await update({ input: { id: asset.id, [field]: value } });
    if (error) {
      setFault(describeError(error));
      return;
    }
    showToast(
      value === null ? `The ${WORDS[field].name} is the source's again.` : `The ${WORDS[field].name} is saved.`,
    );
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
    "aria-label": `The ${WORDS[field].name}`,
    "aria-describedby": id,
    "aria-invalid": fault === null ? undefined : true,
    autoFocus: true,
    value: text,
    onChange: (event: { target: { value: string } }) => setText(event.target.value),
    onKeyDown,
  };
  return (
    <form className={styles["editor"]} onSubmit={submit}>
      {field === "description" ? <textarea rows={5} {...properties} /> : <input {...properties} />}
      <p
        id={id}
        className={fault === null ? styles["hint"] : styles["fault"]}
        role={fault === null ? undefined : "alert"}
      >
        {fault ?? WORDS[field].hint}
      </p>
      <div className={styles["buttons"]}>
        <Button type="submit" look="primary" isBusy={fetching}>
          Save
        </Button>
        <Button onClick={onEnd}>Cancel</Button>
        {isEdited && (
          <Button look="quiet" isBusy={fetching} onClick={() => void save(null)}>
            Use the source&rsquo;s
          </Button>
        )}
      </div>
    </form>
  );
}

function toText(asset: AssetDetail, field: Field): string {
  return field === "tags" ? asset.tags.join(", ") : (asset[field] ?? "");
}

function toValue(text: string, field: Field): string | string[] {
  if (field !== "tags") return text.trim();
  return text
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
}
