/** What a rule tells, what it is about and where to, and why it is off. */
import { PersonName } from "../../../assets/person-name.tsx";
import { About } from "./about.tsx";
import type { NoticeRuleCard } from "./documents.ts";
import { asksFor, DIGESTS, KINDS, labelOf, RISKS } from "./words.ts";

function describeReader({ channel, origin, recipient }: NoticeRuleCard) {
  const asks = asksFor(channel);
  if (asks === null) return "whoever has its address";
  return asks === "url" ? <code>{origin}</code> : <PersonName of={recipient} none="the owners" />;
}

export function RuleWords({ rule }: { rule: NoticeRuleCard }) {
  const { kinds, minRisk, digestHour, disabledReason } = rule;
  return (
    <>
      <p className="soft">
        {kinds.map((kind) => labelOf(KINDS, kind)).join(" · ")}
        {minRisk !== null && ` (changes: ${labelOf(RISKS, minRisk).toLowerCase()})`}
        <br />
        <About of={rule} />, to {describeReader(rule)}
        {digestHour !== null && ` · ${labelOf(DIGESTS, String(digestHour))}`}
      </p>
      {disabledReason !== null && <p className="bad">Switched off: {disabledReason}</p>}
    </>
  );
}
