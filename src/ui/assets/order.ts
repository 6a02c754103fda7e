/** In which order a list of assets or metrics is. It is in the address, so that a link shows the same list. */
export const ORDERS = {
  name: "by name",
  updated: "last changed first",
  usage: "most used first",
  downstream: "most consumers first",
} as const;

export type Order = keyof typeof ORDERS;

/** Null for the usual order. */
export function readOrder(parameters: URLSearchParams): Order | null {
  const text = parameters.get("sort");
  return text !== null && Object.hasOwn(ORDERS, text) ? (text as Order) : null;
}
