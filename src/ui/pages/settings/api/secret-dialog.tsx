/** A secret of a service account, shown once. */
import { Button } from "../../../parts/button.tsx";
import { Secret, Snippet } from "../../../parts/copy.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import styles from "./api.module.css";
import { writeOauth } from "./lines.ts";

interface SecretDialogProps {
  title: string;
  clientId: string;
  secret: string;
  onClose: () => void;
}

/** A click beside it does not close it: the secret cannot be shown again. */
export function SecretDialog({ title, clientId, secret, onClose }: SecretDialogProps) {
  return (
    <Dialog title={title} isOpen mayClose={false} onClose={onClose} className={styles["wide"]}>
      <div className={styles["made"]}>
        <p>Copy it now. It is stored as a hash only, and cannot be shown again.</p>
        <Secret label="Client id" text={clientId} />
        <Secret label="Client secret" text={secret} />
        <Snippet label="How it gets a token" text={writeOauth(location.origin)} />
        <div>
          <Button look="primary" onClick={onClose} autoFocus>
            I have stored it
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
