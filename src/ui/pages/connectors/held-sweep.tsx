/** A crawl found so much gone that it removed nothing. Somebody has to say that it really is gone. */
import { useState } from "react";

import { useMayWrite } from "../../app/session/use-session.ts";
import { useChange } from "../../graphql/use-change.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import styles from "./connectors.module.css";
import { TRIGGER_SYNC } from "./documents.ts";

/** @param message the service's, which says how many of how many */
export function HeldSweep({ connectorId, message }: { connectorId: string; message: string }) {
  const mayWrite = useMayWrite();
  const [isAsking, setAsking] = useState(false);
  const { change, isBusy, fault } = useChange(TRIGGER_SYNC, ["Connector"]);
  const confirm = async (): Promise<void> => {
    if ((await change({ input: { connectorId, confirmRemoval: true } })) !== null) setAsking(false);
  };
  // The end of the message is for the command line.
  const [what = message] = message.split(" If they are gone");
  return (
    <section className={styles["held"]} aria-label="Removal on hold">
      <p className={styles["inline"]}>
        <Icon name="warning" /> <strong>A removal waits for you</strong>
      </p>
      <p>{what}</p>
      {mayWrite ? (
        <div>
          <Button onClick={() => setAsking(true)}>They are gone: remove them</Button>
        </div>
      ) : (
        <p>Somebody who may write has to confirm it.</p>
      )}
      {isAsking && (
        <ConfirmDialog
          title="Remove what is gone?"
          action="Crawl and remove"
          isBusy={isBusy}
          fault={fault}
          onConfirm={() => void confirm()}
          onClose={() => setAsking(false)}
        >
          The connector crawls again, and removes everything that its source no longer has, however much it is. Edits by
          people are kept, in case the assets come back.
        </ConfirmDialog>
      )}
    </section>
  );
}
