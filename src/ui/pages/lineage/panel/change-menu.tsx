/** Chooses a change of the selected node or column, to see what it affects. */
import { Button } from "../../../parts/button.tsx";
import { Menu, MenuItem } from "../../../parts/menu.tsx";
import type { NodeType } from "../../../parts/node-types.ts";
import { listChanges } from "../../impact/change.ts";
import { useActions } from "../canvas/actions.ts";

export function ChangeMenu({ of, type }: { of: string; type: NodeType }) {
  const { assess } = useActions();
  return (
    <Menu trigger={<Button icon="impact" label="What breaks if …" />}>
      {listChanges(type).map(({ value, label }) => (
        <MenuItem key={value} label={label} onSelect={() => assess({ of, type: value, newType: null })} />
      ))}
    </Menu>
  );
}
