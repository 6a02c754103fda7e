/** Settings › Notifications: who hears of what happens. */
import { useState } from "react";
import { useQuery } from "urql";

import { useIsAdmin } from "../../../app/session/use-session.ts";
import { Button } from "../../../parts/button.tsx";
import { Secret } from "../../../parts/copy.tsx";
import { Loaded } from "../../../parts/listing.tsx";
import { OnceDialog } from "../../../parts/once-dialog.tsx";
import { Panel } from "../../../parts/panel.tsx";
import { SettingsPage } from "../settings-page.tsx";
import { MyRules } from "./my-rules.tsx";
import { NOTICE_RULES } from "./documents.ts";
import { type NewSecret, NewRuleDialog } from "./rule-dialog.tsx";
import { RuleCard } from "./rule-card.tsx";

const CONTEXT = { additionalTypenames: ["NoticeRule"] };

export function NoticeRulesPage() {
  const isAdmin = useIsAdmin();
  const [isAdding, setAdding] = useState(false);
  // Here and not at its rule: if the list cannot be loaded again, the secret must stay, since it is shown once.
  const [made, setMade] = useState<NewSecret | null>(null);
  return (
    <SettingsPage
      title="Notifications"
      lead="Hear what happens and what changes: here, by e-mail or as a feed. Or tell a webhook, Slack or Microsoft Teams."
    >
      <MyRules onSecret={setMade} />
      {isAdmin && (
        <section className="stack" aria-label="Of the workspace">
          <div className="cluster">
            <h2>Of the workspace</h2>
            <Button className="push" look="primary" icon="plus" onClick={() => setAdding(true)}>
              New notification
            </Button>
          </div>
          <Rules onSecret={setMade} />
        </section>
      )}
      {isAdding && <NewRuleDialog onSecret={setMade} onClose={() => setAdding(false)} />}
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

function Rules({ onSecret }: { onSecret: (made: NewSecret) => void }) {
  const asked = useQuery({ query: NOTICE_RULES, requestPolicy: "cache-and-network", context: CONTEXT });
  return (
    <Loaded what="the notifications" asked={asked} pick={({ noticeRules }) => noticeRules} rows={3}>
      {(rules) =>
        rules.length === 0 ? (
          <Panel icon="bell" title="No notifications yet">
            Nobody hears of it if a certification lapses while nobody looks. Add a notification to change that.
          </Panel>
        ) : (
          <div className="stack">
            {rules.map((rule) => (
              <RuleCard key={rule.id} rule={rule} onSecret={onSecret} />
            ))}
          </div>
        )
      }
    </Loaded>
  );
}
