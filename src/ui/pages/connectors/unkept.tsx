/** What came to a connector and is not kept. */
import { formatCount } from "../../parts/count.ts";
import { Section } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import type { ConnectorDetail } from "./documents.ts";

type Kinds = ConnectorDetail["unkept"];

const REASONS = {
  unknown: "nothing of this kind is kept",
  malformed: "it could not be read in full",
  cut: "its lists are too long: only their beginnings are kept",
} as const satisfies Record<Kinds[number]["why"], string>;

/** The warnings of a sync that say the same as the table. */
export const TOLD_IN_TABLE: ReadonlySet<string> = new Set(["not_kept", "malformed_proposal", "too_many"]);

export function Unkept({ kinds }: { kinds: Kinds }) {
  return (
    <Section title="Not kept" lead="What came and is in no asset. The last completed sync counted it.">
      <Table label="What came and is not kept" columns={["About", "Aspect", "Came", "Why", "Such as that of"]}>
        <tbody>
          {kinds.map(({ entity, aspect, why, count, example }) => (
            <tr key={`${entity} ${aspect} ${why}`}>
              <td>{entity ?? "unknown"}</td>
              <td>{aspect === null ? "further kinds" : <code>{aspect}</code>}</td>
              <td>{formatCount(count)}</td>
              <td>{REASONS[why]}</td>
              <td className="wrap">
                <code>{example}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}
