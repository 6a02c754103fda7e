/** Notes what was acknowledged, to compare it with the data at the end. */
import type { Answer } from "./client.ts";

interface Cell {
  acknowledged: string | null;
  /** Values that were sent later, and neither acknowledged nor refused. They may have been written. */
  open: string[];
}

export interface Ledger {
  /** Sends one value of an item that only this caller writes, and notes the answer. */
  write(name: string, value: string, send: () => Promise<Answer>): Promise<Answer>;
  /** Each item that was acknowledged at least once and has a wrong value. */
  compare(kind: string, find: (name: string) => string | null): string[];
  count(kind: string): { acknowledged: number; open: number };
}

/** A name begins with its kind and a space. */
export function createLedger(): Ledger {
  const cells = new Map<string, Cell>();
  const totals = new Map<string, { acknowledged: number; open: number }>();
  const count: Ledger["count"] = (kind) => {
    const total = totals.get(kind) ?? { acknowledged: 0, open: 0 };
    totals.set(kind, total);
    return total;
  };

  return {
    count,
    async write(name, value, send) {
      const cell = cells.get(name) ?? { acknowledged: null, open: [] };
      cells.set(name, cell);
      cell.open.push(value);
      const total = count(name.split(" ", 1)[0] ?? "");
      const answer = await send();
      if (answer.outcome === "ok") {
        cell.acknowledged = value;
        cell.open = [];
        total.acknowledged += 1;
      } else if (answer.outcome === "limited" || answer.outcome === "denied") {
        cell.open.pop();
      } else {
        total.open += 1;
      }
      return answer;
    },
    compare(kind, find) {
      return [...cells]
        .filter(([name]) => name.startsWith(`${kind} `))
        .flatMap(([name, { acknowledged, open }]) => {
          const found = find(name.slice(kind.length + 1));
          const isRight = found === acknowledged || (found !== null && open.includes(found));
          return isRight
            ? []
            : [`${name}: ${found} instead of ${acknowledged}${open.length ? ` or ${open.join()}` : ""}`];
        });
    },
  };
}
