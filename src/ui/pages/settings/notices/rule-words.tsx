/** What a rule tells, what it is about and where to, and why it is off. */
import type { NoticeRuleCard } from "./documents.ts";
import { describeAbout, KINDS, labelOf, RISKS } from "./words.ts";

export function RuleWords({ rule }: { rule: NoticeRuleCard }) {
  const { kinds, minRisk, channel, origin, to, disabledReason } = rule;
  return (
    <>
      <p className="soft">
        {kinds.map((kind) => labelOf(KINDS, kind)).join(" · ")}
        {minRisk !== null && ` (changes: ${labelOf(RISKS, minRisk).toLowerCase()})`}
        <br />
        {describeAbout(rule)}, to {channel === "email" ? (to ?? "the owners") : <code>{origin}</code>}
      </p>
      {disabledReason !== null && <p className="bad">Switched off: {disabledReason}</p>}
    </>
  );
}
