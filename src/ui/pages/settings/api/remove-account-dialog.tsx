import { useChange } from "../../../graphql/use-change.ts";
import { ConfirmDialog } from "../../../parts/confirm-dialog.tsx";
import { showToast } from "../../../parts/toast.tsx";
import { REMOVE_ACCOUNT, type ServiceAccountRow } from "./documents.ts";

interface RemoveAccountDialogProps {
  account: ServiceAccountRow;
  onClose: () => void;
}

/** Deletes a service account for good, after its name was typed. */
export function RemoveAccountDialog({ account: { id, name }, onClose }: RemoveAccountDialogProps) {
  const { change, isBusy, fault } = useChange(REMOVE_ACCOUNT, ["ServiceAccount", "ApiKey"]);
  const remove = async (): Promise<void> => {
    if ((await change({ input: { id } })) === null) return;
    showToast(`${name} is deleted.`);
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      action="Delete it"
      typed={name}
      isBusy={isBusy}
      fault={fault}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      Its secrets are deleted, and none of its tokens and keys works from the next request on. This cannot be undone: a
      new account has another client id. What it did stays in the audit trail.
    </ConfirmDialog>
  );
}
