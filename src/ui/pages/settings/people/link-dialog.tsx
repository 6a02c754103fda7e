/** A one-time link, shown once. */
import { Button } from "../../../parts/button.tsx";
import { Secret } from "../../../parts/copy.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Time } from "../../../parts/time.tsx";
import styles from "./people.module.css";

export interface MadeLink {
  link: string;
  email: string;
  expiresAt: string;
}

/** A click beside it does not close it: the link cannot be shown again. */
export function LinkDialog({ title, made, onClose }: { title: string; made: MadeLink; onClose: () => void }) {
  return (
    <Dialog title={title} isOpen mayClose={false} onClose={onClose} className={styles["wide"]}>
      <div className={styles["made"]}>
        <p>
          Give this link to {made.email}. It works once, and expires <Time at={made.expiresAt} />. It is not sent by
          mail, and cannot be shown again.
        </p>
        <Secret label="One-time link" text={made.link} />
        <div>
          <Button look="primary" onClick={onClose} autoFocus>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
