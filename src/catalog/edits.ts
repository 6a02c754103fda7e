/** The fields of an asset that people edit, who edited each of them last, and what the editor saw. */
import { excerpt } from "../characters.ts";
import { AppError } from "../errors.ts";

export const EDITABLE_FIELDS = ["description", "tags", "owner"] as const;
export type EditableField = (typeof EDITABLE_FIELDS)[number];

/** Who edited a field, and when. */
export interface EditStamp {
  /** A user's e-mail address or a service account's name. */
  by: string;
  /** ISO 8601, UTC. */
  at: string;
}

/** The last edit of one field. */
export interface Edit extends EditStamp {
  field: EditableField;
  /** Whether the edit returned the field to what the connectors say. */
  isReset: boolean;
}

/** What people said in the editable fields, and who edited each of them last. */
type Edited = Partial<Record<EditableField, unknown>> & { edits?: Partial<Record<EditableField, EditStamp>> };

/** The last edit of each field that people edited, in the order of EDITABLE_FIELDS. */
export function listEdits(curation: Edited): Edit[] {
  return EDITABLE_FIELDS.flatMap((field) => {
    const stamp = curation.edits?.[field];
    return stamp === undefined ? [] : [{ field, ...stamp, isReset: curation[field] === undefined }];
  });
}

/** What fields showed to their editor. Any that is left out may show anything. */
export interface SeenFields {
  description?: string | null | undefined;
  tags?: readonly string[] | null | undefined;
  owner?: string | null | undefined;
}

/**
 * @param edited the fields that are to be edited
 * @throws AppError `conflict` if one of them shows something else than its editor saw
 */
export function requireAsSeen(
  shown: { [F in EditableField]: NonNullable<SeenFields[F]> },
  edited: Partial<Record<EditableField, unknown>>,
  seen: SeenFields,
): void {
  for (const field of EDITABLE_FIELDS) {
    if (edited[field] === undefined || seen[field] == null) continue;
    const [before, now] = [toText(seen[field]), toText(shown[field])];
    if (before === now) continue;
    const [has, it] = field === "tags" ? ["have", "they are"] : ["has", "it is"];
    throw new AppError("conflict", `The ${field} ${has} been changed meanwhile: ${it} now “${excerpt(now)}”.`);
  }
}

function toText(value: string | readonly string[]): string {
  return typeof value === "string" ? value : value.join(", ");
}
