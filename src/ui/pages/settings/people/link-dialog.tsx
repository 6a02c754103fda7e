/** A one-time link, shown once. */
import { Secret } from "../../../parts/copy.tsx";
import { OnceDialog } from "../../../parts/once-dialog.tsx";
import { Time } from "../../../parts/time.tsx";

export interface MadeLink {
  link: string;
  email: string;
  expiresAt: string;
}

export function LinkDialog({ title, made, onClose }: { title: string; made: MadeLink; onClose: () => void }) {
  return (
    <OnceDialog title={title} done="Done" onClose={onClose}>
      <p>
        Give this link to {made.email}. It works once, and expires <Time at={made.expiresAt} />. It is not sent by mail,
        and cannot be shown again.
      </p>
      <Secret label="One-time link" text={made.link} />
    </OnceDialog>
  );
}
