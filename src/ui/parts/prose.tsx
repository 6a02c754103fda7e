/** A text of the service, in which names stand in backticks. */
import { Fragment, type ReactNode } from "react";

interface ProseProps {
  text: string;
  /** How a name is shown, if not as code. */
  renderName?: (name: string) => ReactNode;
}

function renderCode(name: string): ReactNode {
  return <code>{name}</code>;
}

export function Prose({ text, renderName = renderCode }: ProseProps) {
  return text.split(/`([^`\n]+)`/).map((part, place) =>
    // The pattern has one group, so that every second part is a name.
    // oxlint-disable-next-line react/no-array-index-key -- parts never move
    place % 2 === 1 ? <Fragment key={place}>{renderName(part)}</Fragment> : part,
  );
}
