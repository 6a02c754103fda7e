/** A trail of every step of every sync. PostgreSQL itself keeps it while the bench runs. */
import { DATABASE, type Cluster } from "./cluster.ts";

interface Step {
  id: string;
  connector: string;
  was: string;
  status: string;
  /** Whether another worker took it, and the rest of its lease at that time. */
  taken: boolean;
  left_ms: number | null;
  at_ms: number;
}

interface Unfinished {
  id: string;
  status: string;
}

export interface SyncTrail {
  /** Syncs that have not ended, and subjects of the inbox that wait. */
  readWaiting(): Promise<{ syncs: Unfinished[]; subjects: number }>;
  /** Syncs that were doubled, or did not end exactly once. */
  /** @param mayFail errors, as SQL patterns of `errors`, with which a sync may end */
  findFaults(acknowledged: ReadonlySet<string>, mayFail: readonly string[]): Promise<string[]>;
  countByStatus(): Promise<string>;
}

const ENDED: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);
/** All processes of the bench have one clock. Reading and writing it take a moment. */
const TOLERANCE_MS = 1_000;

const SETUP = [
  "create schema bench",
  `create table bench.steps (
    seq bigserial, at timestamptz default clock_timestamp(), id text, connector text, was text, status text,
    taken boolean, lease_until timestamptz)`,
  `create function bench.note() returns trigger language plpgsql security definer as $$ begin
    if new.status <> old.status or new.worker_id is distinct from old.worker_id then
      insert into bench.steps (id, connector, was, status, taken, lease_until)
      values (old.id, old.connector_id, old.status, new.status,
        old.status = 'running' and new.worker_id is not null, old.lease_until::timestamptz);
    end if;
    return new;
  end $$`,
  "create trigger note after update on public.syncs for each row execute function bench.note()",
];

export async function keepTrail({ postgres }: Pick<Cluster, "postgres">): Promise<SyncTrail> {
  await postgres.run(DATABASE, ...SETUP);

  async function ask<Row extends object>(sql: string): Promise<Row[]> {
    const client = await postgres.connect(DATABASE);
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  return {
    async readWaiting() {
      const syncs = await ask<Unfinished>("select id, status from syncs where status in ('queued', 'running')");
      const [row] = await ask<{ n: number }>(
        "select count(*)::int as n from inbox_subjects where applied_version < version",
      );
      return { syncs, subjects: row?.n ?? 0 };
    },
    async findFaults(acknowledged, mayFail) {
      const faults: string[] = [];
      const steps = await ask<Step>(`select id, connector, was, status, taken,
        extract(epoch from lease_until - at)::float * 1000 as left_ms, extract(epoch from at)::float * 1000 as at_ms
        from bench.steps order by seq`);
      const known = new Set((await ask<{ id: string }>("select id from syncs")).map(({ id }) => id));
      const running = new Map<string, string>();
      const ends = new Map<string, number>();
      for (const { id, connector, was, status, taken, left_ms } of steps) {
        if (ENDED.has(was)) faults.push(`sync ${id} went from ${was} to ${status}`);
        if (ENDED.has(status)) ends.set(id, (ends.get(id) ?? 0) + 1);
        if (taken && (left_ms ?? 0) > TOLERANCE_MS)
          faults.push(`sync ${id} was taken ${left_ms} ms before its lease ended`);
        const other = running.get(connector);
        if (status === "running" && other !== undefined && other !== id)
          faults.push(`${connector} ran ${other} and ${id}`);
        if (status === "running") running.set(connector, id);
        else if (other === id) running.delete(connector);
      }
      for (const id of acknowledged) {
        if (!known.has(id)) faults.push(`sync ${id} was acknowledged and is lost`);
        else if (ends.get(id) !== 1) faults.push(`sync ${id} ended ${ends.get(id) ?? 0} times`);
      }
      const failed = await ask<{ id: string; errors: string }>(
        `select id, errors from syncs where (status <> 'completed' or errors <> '[]')
         ${mayFail.map((pattern) => `and errors not like '${pattern}'`).join(" ")}`,
      );
      return [...faults, ...failed.map(({ id, errors }) => `sync ${id} has errors: ${errors.slice(0, 300)}`)];
    },
    async countByStatus() {
      const rows = await ask<{ status: string; n: number; attempts: number }>(
        "select status, count(*)::int as n, max(attempts)::int as attempts from syncs group by 1 order by 1",
      );
      const [taken] = await ask<{ n: number }>("select count(*)::int as n from bench.steps where taken");
      const counts = rows.map(({ status, n, attempts }) => `${n} ${status} (at most ${attempts} attempts)`);
      return `${counts.join(", ")}; ${taken?.n ?? 0} taken over from dead workers`;
    },
  };
}
