/** What nodes are called in a picture, and short labels for names that are too long. */
import { parentOf } from "../../../assets/asset-row.ts";
import type { LineageNode } from "./graph.ts";

/** What stands below a name: where it is, such as `shop.marts`, or what it is. */
export function describePlace(node: LineageNode): string {
  return (node.parent?.name ?? parentOf(node)) || node.type;
}

interface Label {
  head: string;
  tail: string;
}

const ELLIPSIS = "…";
const WORD = /[_.\-\s]*[^_.\-\s]+/g;
const SEPARATORS = /[_.\-\s…]+/g;
/** The characters at the beginning that stay if the words that differ are in the middle. */
const LEAST_HEAD = 4;

/**
 * Breaks a name into two lines if there is no room for it in one, near its middle, after a word if there is one to end.
 * @param others the names that are shown, as in `shortenName`
 * @param most the number of characters that a line has room for
 */
export function breakName(name: string, others: Iterable<string>, most: number): string {
  if (name.length <= most) return name;
  const label = shortenName(name, others, 2 * most);
  const middle = Math.ceil(label.length / 2);
  const ends = [...label.matchAll(SEPARATORS)].map(({ index, 0: { length } }) => index + length);
  const fitting = ends.filter((end) => end <= most && label.length - end <= most);
  const [end = middle] = fitting.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  return `${label.slice(0, end)}\n${label.slice(end)}`;
}

/**
 * Leaves out a part of the name, but keeps the words that tell it from the most similar name.
 * @param others the names that are shown; they may include the name itself
 * @param most the number of characters that there is room for
 */
export function shortenName(name: string, others: Iterable<string>, most: number): string {
  if (name.length <= most) return name;
  const rivals = [...others].filter((other) => other !== name);
  const room = Math.max(most - ELLIPSIS.length, 2);
  const [start, end] = findDifference(name, rivals);
  const begins = new Set(wordsOf(name).map(({ index }) => index));
  /** Less is better: the ends are about equally long, and the tail begins with a word. */
  const measure = ({ head, tail }: Label): number =>
    Math.abs(head.length - tail.length) + (begins.has(name.length - tail.length) ? 0 : 5);
  const cuts = Array.from({ length: room - 1 }, (_, place) => [place + 1, room - place - 1] as const)
    .map(([head, tail]) => ({ head: name.slice(0, head), tail: name.slice(-tail) }))
    .toSorted((a, b) => measure(a) - measure(b));
  const isUnique = ({ head, tail }: Label) => !rivals.some((it) => it.startsWith(head) && it.endsWith(tail));
  const keepsWords = ({ head, tail }: Label): boolean => head.length >= end || name.length - tail.length <= start;
  const cut =
    cuts.find((each) => keepsWords(each) && isUnique(each)) ??
    keepMiddle(name, start, room) ??
    cuts.find(isUnique) ??
    cuts[0];
  return cut === undefined ? name : `${cut.head}${ELLIPSIS}${cut.tail}`;
}

/** @returns where the words begin and end that the most similar name does not have */
function findDifference(name: string, rivals: readonly string[]): [start: number, end: number] {
  let [before, after] = [0, 0];
  for (const rival of rivals) {
    const shared = countShared(name, rival, (text, place) => text[place]);
    const most = name.length - shared;
    const atEnd = Math.min(
      countShared(name, rival, (text, place) => text[text.length - 1 - place]),
      most,
    );
    if (shared + atEnd > before + after) [before, after] = [shared, atEnd];
  }
  const words = wordsOf(name).filter(
    ({ index, 0: word }) => index + word.length > before && index < name.length - after,
  );
  const last = words.at(-1);
  return [words[0]?.index ?? before, last === undefined ? before : last.index + last[0].length];
}

function countShared(one: string, other: string, at: (text: string, place: number) => string | undefined): number {
  let count = 0;
  while (count < one.length && at(one, count) === at(other, count)) count++;
  return count;
}

/** A short beginning, and the words that differ. */
function keepMiddle(name: string, start: number, room: number): Label | null {
  const length = room - LEAST_HEAD - ELLIPSIS.length;
  if (length < 1 || start < LEAST_HEAD || start + length >= name.length) return null;
  return { head: name.slice(0, LEAST_HEAD), tail: `${name.slice(start, start + length)}${ELLIPSIS}` };
}

/** The words, each with what separates it from the one before. */
function wordsOf(name: string): RegExpExecArray[] {
  return [...name.matchAll(WORD)];
}
