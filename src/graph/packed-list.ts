/** The item at a position that a packed list names. */
export function at<T>(list: ArrayLike<T>, index: number | undefined): T {
  const found = list[index ?? -1];
  if (found === undefined) throw new RangeError("a packed list names a position that does not exist");
  return found;
}
