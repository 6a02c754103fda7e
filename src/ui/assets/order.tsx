import { useParameters } from "../parts/use-parameters.ts";

/** In which order a list of assets or metrics is. It is in the address, so that a link shows the same list. */
const ORDERS = {
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

/** @param usual what the usual order is */
export function OrderSelect({ usual }: { usual: string }) {
  const { parameters, setParameter } = useParameters();
  return (
    <select
      aria-label="Order"
      className="input own-width small"
      value={readOrder(parameters) ?? ""}
      onChange={({ target }) => setParameter("sort", target.value)}
    >
      <option value="">{usual}</option>
      {Object.entries(ORDERS).map(([order, words]) => (
        <option key={order} value={order}>
          {words}
        </option>
      ))}
    </select>
  );
}
