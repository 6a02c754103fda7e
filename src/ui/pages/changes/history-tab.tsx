/** What changed about one asset or metric. */
import { Panel } from "../../parts/panel.tsx";
import { ChangeList } from "./change-list.tsx";

export function HistoryTab({ id }: { id: string }) {
  return (
    <ChangeList
      filters={{ about: id }}
      empty={
        <Panel icon="history" title="Nothing has changed yet">
          Changes of it, of its columns and of its edges are listed here.
        </Panel>
      }
    />
  );
}
