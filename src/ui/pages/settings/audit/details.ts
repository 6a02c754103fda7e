/** The details of an audit event, in words. */

/** @param name such as `expiresAt` */
export function describeName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll("_", " ");
}

export function describeValue(value: unknown): string {
  if (value === null || value === "") return "none";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(describeValue).join(", ");
  if (isChange(value)) return `${describeValue(value.from)} → ${describeValue(value.to)}`;
  return JSON.stringify(value);
}

function isChange(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === "object" && value !== null && Object.keys(value).toSorted().join(" ") === "from to";
}
