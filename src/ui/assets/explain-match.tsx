/** Why an asset was found, if its name does not show it. */
import { Icon } from "../parts/icon.tsx";
import type { SearchMatch } from "./asset-row.ts";
import { Highlight } from "./highlight.tsx";

const FIELDS = {
  column: { icon: "column", text: "column" },
  tag: { icon: "tag", text: "tag" },
  owner: { icon: "user", text: "owner" },
  description: { icon: "info", text: "description" },
} as const;

type Field = keyof typeof FIELDS;

export function ExplainMatch({ match, description }: { match: SearchMatch; description: string | null }) {
  const found = match.words.filter((it): it is typeof it & { field: Field } => it.field !== "name");
  if (found.length === 0) return null;
  const reasons = new Map(found.map(({ field, text }) => [`${field} ${text ?? ""}`, { field, text }]));
  const words = found.map(({ word }) => word);
  return (
    <span className="row roomy shrink cut">
      {[...reasons].map(([key, { field, text }]) => (
        <span key={key} className="row tight shrink cut">
          <Icon name={FIELDS[field].icon} size={12} />
          <span className="faint">{FIELDS[field].text}</span>
          <span className="cut">
            <Highlight text={(field === "description" ? description : text) ?? text ?? ""} words={words} cuts />
          </span>
        </span>
      ))}
    </span>
  );
}
