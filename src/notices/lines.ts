/** A message for people, before it is written for a channel. */

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
