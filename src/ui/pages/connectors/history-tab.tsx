/** The crawls of a connector, the newest first, each with its errors. */
import { useState } from "react";

import { useFresh } from "../../graphql/use-fresh.ts";
import { Button } from "../../parts/button.tsx";
import { Loaded } from "../../parts/listing.tsx";
import { Panel } from "../../parts/panel.tsx";
import { SYNCS } from "./documents.ts";
import { Runs } from "./runs.tsx";

const FIRST = 20;
const ALL = 200;

export function HistoryTab({ id }: { id: string }) {
  const [first, setFirst] = useState(FIRST);
  const asked = useFresh(SYNCS, { id, first });
  return (
    <Loaded what="the syncs" asked={asked} pick={({ connector }) => connector?.syncs}>
      {(syncs) =>
        syncs.length === 0 ? (
          <Panel icon="history" title="It has not synced yet">
            Each sync is listed here, with what it found and what went wrong.
          </Panel>
        ) : (
          <div className="stack">
            <Runs syncs={syncs} />
            {syncs.length === first && first < ALL && (
              <div>
                <Button label="Show more" onClick={() => setFirst(ALL)} />
              </div>
            )}
          </div>
        )
      }
    </Loaded>
  );
}
