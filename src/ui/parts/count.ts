/** Numbers of things, in words. */

/** Such as `1,234`. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** Such as `1 key` or `1,234 keys`. */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}
