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

/**
 * These three characters are markup in Slack and in HTML. Without them nobody can mention a channel, such as
 * `<!channel>`, or forge a link.
 */
export function escapeMarkup(text: string): string {
  return escapeControls(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
