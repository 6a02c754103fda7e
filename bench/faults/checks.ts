/** Compares the data at the end with what was acknowledged, and with an undisturbed sync. */
import type { Exceeded } from "./access.ts";
import type { Load } from "./load.ts";
import type { Report } from "./report.ts";
import { BENCH, differences, isOfBench, listItems, type Snapshot, takeSnapshot } from "./snapshot.ts";
import type { World } from "./world.ts";

export async function checkCatalog(
  world: World,
  load: Load,
  { expected, report, mayFail }: { expected: Snapshot; report: Report; mayFail: readonly string[] },
): Promise<void> {
  const { admin, ledger, trail } = world;
  const edits = ledger.count("description").acknowledged + ledger.count("tags").acknowledged;
  report.check("edits are read elsewhere at once", `${edits} edits`, load.stale);
  await checkWrites(world, report);
  report.check(
    `each of ${load.syncs.size} syncs ends once`,
    await trail.countByStatus(),
    await trail.findFaults(load.syncs, mayFail),
  );
  const found = await takeSnapshot(admin);
  report.check("the graph is that of a fresh crawl", `${expected.size} lines compared`, differences(found, expected));
}

export function checkLimit(rounds: readonly Exceeded[], report: Report): void {
  for (const { limit, sent, admitted, limited, other } of rounds) {
    const text = `${sent} at once: ${admitted} admitted, ${limited} refused, ${other} other`;
    report.check(`a limit of ${limit} over 3 servers`, text, admitted === limit && other === 0 ? [] : [text]);
  }
}

async function checkWrites({ admin, ledger }: World, report: Report): Promise<void> {
  const items = await listItems(admin);
  const byId = new Map(items.map((item) => [item.id, item]));
  const tell = (kind: string): string => {
    const { acknowledged, open } = ledger.count(kind);
    return `${acknowledged} acknowledged, ${open} without an answer`;
  };
  const details = (id: string) => byId.get(id) as { description?: string; tags?: string[] } | undefined;
  report.check(
    "descriptions are there",
    tell("description"),
    ledger.compare("description", (id) => details(id)?.description ?? null),
  );
  report.check(
    "tags are there",
    tell("tags"),
    ledger.compare("tags", (id) => details(id)?.tags?.join() ?? null),
  );
  const metrics = await listItems(admin, "metrics");
  const names = metrics.filter(isOfBench).map(({ name }) => name);
  const doubled = names.filter((name, i) => names.indexOf(name) < i).map((name) => `${name} is there twice`);
  report.check("metrics are there, once", tell("metric"), [
    ...ledger.compare("metric", (name) => (names.includes(name) ? name : null)),
    ...doubled,
  ]);
  // For each job, only the table of its last run.
  const tables = items.filter((item) => item.type === "table" && isOfBench(item)).map(({ name }) => name);
  const tablesOf = (job: string): string => tables.filter((name) => name.startsWith(`${job}_`)).join(" and ");
  report.check(
    "events are in the graph",
    tell("event"),
    ledger.compare("event", (job) => tablesOf(job) || null),
  );
  if (tables.length === 0) report.check("events made tables", BENCH, ["no table of an event is there"]);
}
