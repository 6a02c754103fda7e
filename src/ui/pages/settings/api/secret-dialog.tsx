/** A secret of a service account, shown once. */
import { Secret, Snippet } from "../../../parts/copy.tsx";
import { OnceDialog } from "../../../parts/once-dialog.tsx";
import { writeOauth } from "./lines.ts";

interface SecretDialogProps {
  title: string;
  clientId: string;
  secret: string;
  onClose: () => void;
}

export function SecretDialog({ title, clientId, secret, onClose }: SecretDialogProps) {
  return (
    <OnceDialog title={title} done="I have stored it" onClose={onClose}>
      <p>Copy it now. It is stored as a hash only, and cannot be shown again.</p>
      <Secret label="Client id" text={clientId} />
      <Secret label="Client secret" text={secret} />
      <Snippet label="How it gets a token" text={writeOauth(location.origin)} />
    </OnceDialog>
  );
}
