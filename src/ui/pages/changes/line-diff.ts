/** Compares two texts line by line. */

export interface DiffLine {
  sign: "same" | "added" | "removed";
  text: string;
}

/** Two texts with more pairs of lines are shown one after the other. */
const MAX_PAIRS = 1_000_000;

/** The shortest list of lines that were removed and added, by the longest common subsequence. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [olds, news] = [before.split("\n"), after.split("\n")];
  const removed = olds.map((text): DiffLine => ({ sign: "removed", text }));
  const added = news.map((text): DiffLine => ({ sign: "added", text }));
  if (olds.length * news.length > MAX_PAIRS) return [...removed, ...added];
  const width = news.length + 1;
  // How many lines the rests of both texts have in common, from each pair of lines on.
  const common = new Uint32Array((olds.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = olds.length - 1; i >= 0; i--) {
    for (let j = news.length - 1; j >= 0; j--) {
      common[i * width + j] = olds[i] === news[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < olds.length && j < news.length) {
    if (olds[i] === news[j]) {
      lines.push({ sign: "same", text: olds[i] ?? "" });
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) {
      lines.push(...removed.slice(i, ++i));
    } else {
      lines.push(...added.slice(j, ++j));
    }
  }
  return [...lines, ...removed.slice(i), ...added.slice(j)];
}

/** How many equal lines are shown around each change. */
const CONTEXT = 3;

/** The parts of a difference that are near its changes, without the equal lines between them. */
export function cutEqualLines(lines: readonly DiffLine[]): DiffLine[][] {
  const isNear = lines.map(() => false);
  for (const [place, { sign }] of lines.entries()) {
    if (sign !== "same") isNear.fill(true, Math.max(0, place - CONTEXT), place + CONTEXT + 1);
  }
  const parts: DiffLine[][] = [];
  for (const [place, line] of lines.entries()) {
    if (isNear[place] !== true) continue;
    if (isNear[place - 1] === true) parts.at(-1)?.push(line);
    else parts.push([line]);
  }
  return parts;
}
