/** A text of the service, with names in backticks. */
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
  return text.split(/`([^`\n]+)`/).map((part, index) =>
    // The pattern has one group, so that every second part is a name.
    // oxlint-disable-next-line react/no-array-index-key -- parts never move
    index % 2 === 1 ? <Fragment key={index}>{renderName(part)}</Fragment> : part,
  );
}
