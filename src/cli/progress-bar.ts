/** Shows a crawl's progress on a terminal. */
import type { WriteStream } from "node:tty";

import { SingleBar } from "cli-progress";

import { escapeControls } from "../plain-text.ts";
import type { SyncState } from "./sync-json.ts";

export interface ProgressBar {
  show: (sync: Pick<SyncState, "status" | "progress" | "progressLabel">) => void;
  /** Removes the bar from the screen. */
  stop: () => void;
}

/**
 * Draws on a terminal.
 * @param elsewhere the line that is printed if there is no terminal. Default: nothing.
 */
export function createProgressBar(stream: WriteStream, title: string, elsewhere = ""): ProgressBar {
  if (!stream.isTTY) {
    let line = elsewhere;
    const show = () => {
      stream.write(line);
      line = "";
    };
    return { show, stop: () => {} };
  }
  const bar = new SingleBar({
    stream,
    format: `${title} [{bar}] {percentage}% {label}`,
    barCompleteChar: "=",
    barIncompleteChar: " ",
    barsize: 30,
    hideCursor: true,
    clearOnComplete: true,
    gracefulExit: false,
  });
  bar.start(100, 0, { label: "" });
  return {
    show: ({ status, progress, progressLabel }) =>
      bar.update(Math.floor(progress * 100), { label: escapeControls(progressLabel || status) }),
    stop: () => bar.stop(),
  };
}
