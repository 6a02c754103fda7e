/** Checks, with the faults that they found, and their output. */
import { quantile, type Tally } from "./tally.ts";

const SHOWN = 8;

export interface Report {
  /** @param found what was checked, with numbers */
  check(name: string, found: string, faults: readonly string[]): void;
  /** Prints all checks. Returns whether each one holds. */
  print(): boolean;
}

export function createReport(): Report {
  const rows: { name: string; found: string; faults: readonly string[] }[] = [];
  return {
    check: (name, found, faults) => void rows.push({ name, found, faults }),
    print() {
      console.log(`\n${"check".padEnd(34)} result  found`);
      for (const { name, found, faults } of rows) {
        console.log(`${name.padEnd(34)} ${faults.length === 0 ? "holds " : "FAILS "}  ${found}`);
        for (const fault of faults.slice(0, SHOWN)) console.log(`    ${fault}`);
        if (faults.length > SHOWN) console.log(`    and ${faults.length - SHOWN} more`);
      }
      return rows.every(({ faults }) => faults.length === 0);
    },
  };
}

export function printLogs(lines: ReadonlyMap<string, number>): void {
  console.log("\nwarnings and errors in the logs of all processes");
  for (const [line, count] of lines) console.log(`${String(count).padStart(6)}  ${line.slice(0, 200)}`);
}

/** Prints the times of successful answers, by request. */
export function printTimes({ times }: Pick<Tally, "times">): void {
  console.log("\n answers   median ms   99% within ms   of");
  for (const [what, all] of [...times].toSorted(([, a], [, b]) => b.length - a.length)) {
    const [median, most] = [quantile(all, 0.5), quantile(all, 0.99)].map((ms) => String(Math.round(ms)));
    console.log(`${String(all.length).padStart(8)}${median?.padStart(12)}${most?.padStart(16)}   ${what}`);
  }
}
