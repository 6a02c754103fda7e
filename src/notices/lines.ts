/** A message for people, before it is written for a channel. */
import { escapeControls } from "../plain-text.ts";

/** One line of a message for people. */
export interface Line {
  text: string;
  /** Null: the line is about nothing that has a page. */
  url: string | null;
  note: string;
}

export interface Lines {
  title: string;
  lines: Line[];
  /** How many events are not listed. */
  more: number;
}

/** The first line, and how many there are more. */
export function toHeadline({ lines, more }: Pick<Lines, "lines" | "more">): string {
  const others = lines.length - 1 + more;
  return `${lines[0]?.text ?? ""}${others > 0 ? ` And ${others} more.` : ""}`;
}

/** For the text and the attributes of XML and HTML. What XML cannot have is left out. */
export function escapeXml(text: string): string {
  return escapeMarkup(text.toWellFormed())
    .replaceAll('"', "&quot;")
    .replaceAll(/[\uFFFE\uFFFF]/g, "");
}

/**
 * These three characters are markup in Slack and in HTML. Without them nobody can mention a channel, such as
 * `<!channel>`, or forge a link.
 */
export function escapeMarkup(text: string): string {
  return escapeControls(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
