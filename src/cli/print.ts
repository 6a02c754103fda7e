/** Writes results to standard output. */

let isNeeded = true;

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (!isNeeded) return;
  // A reader such as `head` may have had enough: nobody is left to tell anything.
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

// Where faults cannot be told, the exit code still tells of them.
process.stderr.on("error", () => {});

/** From now on the process goes on when nobody can read what it prints. */
export function surviveUnreadOutput(): void {
  isNeeded = false;
}

export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Rows below their headings, in columns as wide as they need to be. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  for (const line of lines) {
    printLine(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
}
