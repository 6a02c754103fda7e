/** Reads run_results.json and sources.json: how tests, contracts and checks of freshness went when they last ran. */
import type { CheckOutcome, CheckResult } from "../../catalog/check.ts";
import { excerpt } from "../../characters.ts";
import type { CrawlEvent } from "../connector.ts";
import { runResultShape, sourceResultShape, type Threshold } from "./check-shapes.ts";
import { failure, malformedMember, oversizedMember, warningEvent } from "./faults.ts";
import type { Input } from "./input.ts";
import { readMembers } from "./read-members.ts";
import type { ReadOptions, Wanted } from "./read-members.ts";

/** Results by the name of their check, as `checkNames` makes them. */
export interface CheckResults {
  results: ReadonlyMap<string, CheckResult>;
  errors: CrawlEvent[];
}

/** What a check is called that dbt has no unique id for. */
export const checkNames = {
  contract: (modelId: string) => `contract.${modelId}`,
  freshness: (sourceId: string) => `freshness.${sourceId}`,
};

/** Of the results in one file; each is kept until the crawl ends. */
const MAX_RESULTS = 200_000;
const MAX_MESSAGE_CHARACTERS = 2_000;

/** Commands that build models, and so find out whether their contracts hold. */
const BUILDING = new Set(["run", "build", "retry"]);

const TEST_OUTCOMES: Readonly<Record<string, CheckOutcome>> = {
  pass: "pass",
  fail: "fail",
  warn: "warn",
  error: "error",
  "runtime error": "error",
  skipped: "skipped",
};

/** Where it stands which command was run. */
const WHICH = "args.which";
const SCHEMA_VERSION = "metadata.dbt_schema_version";

const isOfResults: Wanted = (section, key) =>
  section === "results" || [WHICH, SCHEMA_VERSION].includes(`${section}.${key}`);

/** Reads one file of results, entry by entry. */
async function readResults(
  input: Input,
  options: ReadOptions,
  file: { artifact: string; take: (value: unknown, results: Map<string, CheckResult>) => CrawlEvent | null },
): Promise<CheckResults & { args: ReadonlyMap<string, string> }> {
  const results = new Map<string, CheckResult>();
  const errors: CrawlEvent[] = [];
  const facts = new Map<string, string>();
  let left = 0;
  for await (const { section, key, value, excess } of readMembers(input, isOfResults, options)) {
    if (section !== "results") {
      if (typeof value === "string") facts.set(`${section}.${key}`, structuredClone(excerpt(value)));
    } else if (excess !== null) {
      errors.push(asWarning(oversizedMember(`${input.name} ${key}`, excess)));
    } else if (results.size >= MAX_RESULTS) {
      left += 1;
    } else {
      const fault = file.take(value, results);
      if (fault !== null) errors.push(asWarning(fault));
    }
  }
  if (!facts.get(SCHEMA_VERSION)?.includes(`/dbt/${file.artifact}/`)) {
    const why = `holds no dbt ${file.artifact}: ${SCHEMA_VERSION} does not say so`;
    throw failure(input, { code: "not_results", stage: "parse", why });
  }
  if (left > 0) {
    const message = `Of the results in ${input.name} only the first ${MAX_RESULTS} were read; ${left} were left out.`;
    errors.push(warningEvent({ code: "too_many", object: input.name, stage: "parse", message }));
  }
  return { results, errors, args: facts };
}

/**
 * The last results of tests, and of the contracts of models that were built.
 * @throws CrawlFailure where the file holds no dbt results
 */
export async function readRunResults(input: Input, options: ReadOptions): Promise<CheckResults> {
  const { results, errors, args } = await readResults(input, options, {
    artifact: "run-results",
    take(value, kept) {
      const parsed = runResultShape.safeParse(value);
      if (!parsed.success) return malformedMember(`a result in ${input.name}`, parsed.error);
      const { unique_id: id, status, message, failures, timing } = parsed.data;
      const isModel = id.startsWith("model.");
      const outcome = isModel ? contractOutcome(status, message) : TEST_OUTCOMES[status];
      if (outcome === undefined || !/^(test|unit_test|model)\./.test(id)) return null;
      const told = outcome === "pass" && isModel ? "" : message;
      keep(kept, isModel ? checkNames.contract(id) : id, {
        status: outcome,
        message: toPlain(told),
        failures: isModel ? null : (failures ?? null),
        ranAt: endOf(timing),
      });
      return null;
    },
  });
  if (BUILDING.has(args.get(WHICH) ?? "")) return { results, errors };
  // What only compiles, or tests, builds no model.
  return { results: new Map([...results].filter(([name]) => !name.startsWith(checkNames.contract("")))), errors };
}

/** How the contract of a model went whose build ended so: an error of another kind leaves it open. */
function contractOutcome(status: string, message: string): CheckOutcome | undefined {
  if (status === "success") return "pass";
  if (status === "error") return /\bcontract\b/i.test(message) ? "fail" : "error";
  return status === "skipped" ? "skipped" : undefined;
}

/**
 * How fresh sources were when they were last asked.
 * @throws CrawlFailure where the file holds no dbt results of that kind
 */
export async function readSourceResults(input: Input, options: ReadOptions): Promise<CheckResults> {
  const { results, errors } = await readResults(input, options, {
    artifact: "sources",
    take(value, kept) {
      const parsed = sourceResultShape.safeParse(value);
      if (!parsed.success) return malformedMember(`a result in ${input.name}`, parsed.error);
      const { unique_id: id, status, error, max_loaded_at, snapshotted_at, criteria, timing } = parsed.data;
      // dbt says `error` where the data is too old, and `runtime error` where it could not look.
      const outcome = status === "error" ? "fail" : TEST_OUTCOMES[status];
      if (outcome === undefined) return null;
      keep(kept, checkNames.freshness(id), {
        status: outcome,
        message: error == null ? tellAge(max_loaded_at, criteria) : toPlain(error),
        failures: null,
        ranAt: toIso(snapshotted_at) ?? endOf(timing),
      });
      return null;
    },
  });
  return { results, errors };
}

function tellAge(
  newest: string,
  criteria: Partial<Record<"warn_after" | "error_after", Threshold | null>> | null | undefined,
) {
  const limits = (["warn_after", "error_after"] as const).flatMap((limit) => {
    const threshold = criteria?.[limit] ?? null;
    return threshold === null ? [] : [`${limit.replace("_", " ")} ${tellThreshold(threshold)}`];
  });
  const at = toIso(newest);
  return [...(at === null ? [] : [`newest row: ${at}`]), ...limits].join("; ");
}

function tellThreshold({ count, period }: Threshold): string {
  return `${count} ${excerpt(toPlain(period))}${count === 1 ? "" : "s"}`;
}

/** Copied, since what is kept must not keep the file's chunks alive. */
function keep(results: Map<string, CheckResult>, name: string, result: CheckResult): void {
  results.set(structuredClone(name), structuredClone(result));
}

/** A result that could not be read takes no asset and no check out of the catalog. */
function asWarning(event: CrawlEvent): CrawlEvent {
  return event.kind === "error" ? { kind: "error", error: { ...event.error, severity: "warning" } } : event;
}

/** Colours of a terminal, in ECMA-48's escape sequences. */
// oxlint-disable-next-line no-control-regex -- the sequences begin with a control character
const COLOURS = /\u001b\[[\d;]*[A-Za-z]/g;

/** Without colours and control characters, cut where it is long. */
function toPlain(text: string): string {
  const plain = text
    .slice(0, 4 * MAX_MESSAGE_CHARACTERS)
    .replace(COLOURS, "")
    .replace(/[^\P{Cc}\n]/gu, " ")
    .trim();
  return excerpt(plain, MAX_MESSAGE_CHARACTERS).toWellFormed();
}

function endOf(timing: readonly { name: string; completed_at: string }[]): string | null {
  const step = timing.find(({ name }) => name === "execute") ?? timing.at(-1);
  return step === undefined ? null : toIso(step.completed_at);
}

/** dbt's times are UTC, also where they do not say so. */
function toIso(time: string): string | null {
  const at = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}
