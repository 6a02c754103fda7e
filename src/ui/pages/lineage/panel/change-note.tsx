/** Above the table: which change it shows the risks of. */
import { Button } from "../../../parts/button.tsx";
import { Prose } from "../../../parts/prose.tsx";
import { useActions } from "../canvas/actions.ts";
import type { DrawnImpact } from "../model/impact.ts";
import { countAffected, describeImpact } from "./change-panel.tsx";

export function ChangeNote({ impact }: { impact: DrawnImpact }) {
  const { assess } = useActions();
  return (
    <p className="cluster roomy gap-below">
      <span>
        If <Prose text={describeImpact(impact)} />: {countAffected(impact)}
      </span>
      <Button look="quiet" icon="close" onClick={() => assess(null)}>
        Without the change
      </Button>
    </p>
  );
}
