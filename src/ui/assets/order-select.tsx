import { useParameters } from "../parts/use-parameters.ts";
import { ORDERS, readOrder } from "./order.ts";

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
