import { useState } from "react";
import { useMutation } from "urql";
import { useLocation } from "wouter";

import { useMayWrite } from "../../app/session/use-session.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { describeError } from "../../parts/panel.tsx";
import { showToast } from "../../parts/toast.tsx";
import styles from "./certification.module.css";
import { CHANGES_METRICS, REMOVE } from "./documents.ts";

/** Removes a metric that people defined, after asking. */
export function RemoveMetric({ id, name }: { id: string; name: string }) {
  const [isOpen, setOpen] = useState(false);
  const [{ fetching }, remove] = useMutation(REMOVE);
  const [, navigate] = useLocation();
  const mayWrite = useMayWrite();
  if (!mayWrite) return null;
  const submit = async (): Promise<void> => {
    const { error } = await remove({ input: { id } }, CHANGES_METRICS);
    setOpen(false);
    if (error) {
      showToast(describeError(error), "bad");
      return;
    }
    showToast(`${name} is removed.`);
    navigate("/metrics");
  };
  return (
    <>
      <Button look="danger" onClick={() => setOpen(true)}>
        Remove this metric
      </Button>
      <Dialog title={`Remove ${name}?`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <div className={styles["form"]}>
          <p>The history of its certification is kept, in case it is defined again.</p>
          <div className={styles["buttons"]}>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button look="danger" isBusy={fetching} onClick={() => void submit()}>
              Remove it
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}
