/** Settings › Notifications: who hears of what happens. */
import { useState } from "react";

import { useIsAdmin } from "../../../app/session/use-session.ts";
import { Secret } from "../../../parts/copy.tsx";
import { OnceDialog } from "../../../parts/dialog.tsx";
import { SettingsPage } from "../settings-page.tsx";
import type { NewSecret } from "./rule-dialog.tsx";
import { RuleSection } from "./rule-section.tsx";

export function NoticeRulesPage() {
  const isAdmin = useIsAdmin();
  // Here and not at its rule: if the list cannot be loaded again, the secret must stay, since it is shown once.
  const [made, setMade] = useState<NewSecret | null>(null);
  return (
    <SettingsPage
      title="Notifications"
      lead="Hear what happens and what changes: here, by e-mail or as a feed. Or tell a webhook, Slack or Microsoft Teams."
    >
      <RuleSection isOwn onSecret={setMade} />
      {isAdmin && <RuleSection isOwn={false} onSecret={setMade} />}
      {made !== null && (
        <OnceDialog title={made.title} done="I have stored it" onClose={() => setMade(null)}>
          <p>
            Copy it now, because it cannot be shown again. A receiver verifies with it what arrives; a feed is read at
            it.
          </p>
          <Secret label="Secret" text={made.secret} />
        </OnceDialog>
      )}
    </SettingsPage>
  );
}
