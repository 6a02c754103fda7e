/** The fields of an asset that people edit, and who edited each of them last. */

export const EDITABLE_FIELDS = ["description", "tags", "owner"] as const;
export type EditableField = (typeof EDITABLE_FIELDS)[number];

/** Who edited something, and when. */
export interface EditStamp {
  /** A user's e-mail address or a service account's name. */
  by: string;
  /** ISO 8601, UTC. */
  at: string;
}

/** The last edit of one field. */
export interface Edit extends EditStamp {
  field: EditableField;
  /** Whether the edit gave the field back to the connectors. */
  isReset: boolean;
}

/** What people said in the fields that they edit, and who edited each last. */
type Edited = Partial<Record<EditableField, unknown>> & { edits?: Partial<Record<EditableField, EditStamp>> };

/** The last edit of each field that people ever edited, in the order of EDITABLE_FIELDS. */
export function listEdits(curation: Edited): Edit[] {
  return EDITABLE_FIELDS.flatMap((field) => {
    const stamp = curation.edits?.[field];
    return stamp === undefined ? [] : [{ field, ...stamp, isReset: curation[field] === undefined }];
  });
}
