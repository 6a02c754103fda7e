/**
 * The order in which tenants get a limited resource. Who recently used less of all resources comes first. Among those
 * who used little, the order is that of start-time fair queueing (Goyal, Vin and Cheng, 1996): otherwise many newcomers
 * come before a tenant that steadily asks for little, until each of them has used as much. Each tenant has a virtual
 * time, which passes by what it uses of this resource. The resource has the virtual time of the tenant that it served
 * last, and no tenant is behind it: one that had to wait because it used much does not come first for that later.
 */
import { LEAST_MS, type Usage } from "./usage.ts";

/** Tenants that recently used less than this share of what is little are in the order of their virtual times. */
const EQUAL_SHARE = 0.75;
/** At this number of tenants, those that are not ahead of the resource are dropped. */
const SWEEP_AT = 1_000;

/** @param usage what the tenants used of all resources; it is charged elsewhere */
export function createFairOrder(usage: Usage) {
  let now = 0;
  const times = new Map<string, number>();
  let sweepAt = SWEEP_AT;

  const timeOf = (tenant: string): number => Math.max(now, times.get(tenant) ?? now);

  function sweep(): void {
    for (const [tenant, time] of times) if (time <= now) times.delete(tenant);
    sweepAt = Math.max(SWEEP_AT, 2 * times.size);
  }

  return {
    /** Returns a negative number if the one tenant comes before the other. */
    compare(one: string, other: string): number {
      const [oneMs, otherMs] = [usage.of(one), usage.of(other)];
      const equalMs = EQUAL_SHARE * usage.little();
      const recent = Math.max(equalMs, oneMs) - Math.max(equalMs, otherMs);
      return recent || timeOf(one) - timeOf(other) || oneMs - otherMs;
    },
    /** Call it when the tenant is served. */
    serve(tenant: string): void {
      now = timeOf(tenant);
      this.charge(tenant, LEAST_MS);
    },
    /** Counts what the tenant used of this resource. */
    charge(tenant: string, ms: number): void {
      times.set(tenant, timeOf(tenant) + ms);
      if (times.size >= sweepAt) sweep();
    },
  };
}
