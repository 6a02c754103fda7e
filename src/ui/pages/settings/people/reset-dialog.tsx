import { useState } from "react";

import { useChange } from "../../../graphql/use-change.ts";
import { ConfirmDialog } from "../../../parts/confirm-dialog.tsx";
import { type PersonRow, RESET_PASSWORD } from "./documents.ts";
import { LinkDialog, type MadeLink } from "./link-dialog.tsx";

export function ResetDialog({ person: { id, email }, onClose }: { person: PersonRow; onClose: () => void }) {
  const { change, isBusy, fault } = useChange(RESET_PASSWORD);
  const [made, setMade] = useState<MadeLink | null>(null);
  const reset = async (): Promise<void> => {
    const link = (await change({ input: { userId: id } }))?.resetPassword;
    if (link) setMade(link);
  };
  if (made !== null) return <LinkDialog title="A link for a new password" made={made} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={`A new password for ${email}?`}
      action="Make a link"
      isBusy={isBusy}
      fault={fault}
      onConfirm={() => void reset()}
      onClose={onClose}
    >
      You get a link to hand on, by which they set a new password. Until then, the present one keeps working.
    </ConfirmDialog>
  );
}
