/** The fields of an asset that people edit, and who edited each of them last. */

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
