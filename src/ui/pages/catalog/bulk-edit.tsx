/** Edits the chosen assets at once: adds tags, or gives them an owner. */
import { useId, useRef, useState } from "react";

import { KnownOwners } from "../../assets/known-owners.tsx";
import { mutation } from "../../graphql/graphql.ts";
import { Button } from "../../parts/button.tsx";
import { ChangeDialog } from "../../parts/change-form.tsx";
import { countOf } from "../../parts/count.ts";
import { TextField } from "../../parts/form.tsx";
import styles from "./results.module.css";

/** The most assets that the service edits at once. */
const MOST = 100;

const UPDATE_ASSETS = mutation("updateAssets", "assets { id }");

interface BulkEditProps {
  ids: readonly string[];
  /** Chooses none. */
  onClear: () => void;
}

export function BulkEdit({ ids, onClear }: BulkEditProps) {
  const [open, setOpen] = useState<"addTags" | "owner" | null>(null);
  /** What the last change gave. */
  const given = useRef("");
  const owners = useId();
  const chosen = countOf(ids.length, "asset");
  const isTooMany = ids.length > MOST;
  const isTags = open === "addTags";
  return (
    <div className={`card padded cluster ${styles["bulk"]}`} role="region" aria-label="The chosen assets" data-bar>
      <span role="status" className="grow">
        {chosen} chosen{isTooMany && `, and ${MOST} can be edited at once`}
      </span>
      <Button label="Add tags" disabled={isTooMany} onClick={() => setOpen("addTags")} />
      <Button label="Set the owner" disabled={isTooMany} onClick={() => setOpen("owner")} />
      <Button label="Choose none" look="quiet" onClick={onClear} />
      {open !== null && (
        <ChangeDialog
          title={`${isTags ? "Add tags to" : "Set the owner of"} ${chosen}`}
          action={isTags ? "Add them" : "Set it"}
          change={UPDATE_ASSETS}
          variables={(form) => {
            const words = String(form.get(open))
              .split(",")
              .map((word) => word.trim());
            given.current = words.join(", ");
            return { input: { ids: [...ids], ...(isTags ? { addTags: words } : { owner: given.current }) } };
          }}
          types={["Asset"]}
          onDone={() => {
            if (isTags) return `${chosen} tagged ${given.current}.`;
            return given.current === ""
              ? `${chosen} without an owner now.`
              : `${chosen} owned by ${given.current} now.`;
          }}
          onClose={() => setOpen(null)}
        >
          <TextField
            label={isTags ? "Tags" : "Owner"}
            name={open}
            hint={isTags ? "Separated by commas. Each asset keeps its own." : "An e-mail address. Empty: no owner."}
            required={isTags}
            autoFocus
            autoComplete="off"
            list={isTags ? undefined : owners}
          />
          {!isTags && <KnownOwners id={owners} />}
        </ChangeDialog>
      )}
    </div>
  );
}
