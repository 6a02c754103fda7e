/** Reads run_results.json and sources.json: the last results of tests, contracts and freshness checks. */
import { stripVTControlCharacters } from "node:util";

import type { z } from "zod";

import type { CheckOutcome, CheckResult } from "../../catalog/check.ts";
import { excerpt } from "../../characters.ts";
import type { CrawlEvent } from "../connector.ts";
import { runResultShape, sourceResultShape, type Threshold } from "./check-shapes.ts";
import { warningEvent } from "../faults.ts";
import { failure, malformedMember, oversizedMember } from "./faults.ts";
import type { Input } from "./input.ts";
import { readMembers, type ReadOptions, type Wanted } from "./read-members.ts";

export interface CheckResults {
  /** By the check's name: dbt's unique id, or a name from `checkNames`. */
  results: ReadonlyMap<string, CheckResult>;
  errors: CrawlEvent[];
}

/** Names of checks for which dbt has no unique id. */
export const checkNames = {
  contract: (modelId: string) => `contract.${modelId}`,
  freshness: (sourceId: string) => `freshness.${sourceId}`,
};

/** The limit for one file. Results stay in memory until the crawl ends. */
const MAX_RESULTS = 200_000;
const MAX_MESSAGE_CHARACTERS = 2_000;

/** Commands that build models. Only a build shows whether a contract holds. */
const BUILDING = new Set(["run", "build", "retry"]);

const TEST_OUTCOMES: Readonly<Record<string, CheckOutcome>> = {
  pass: "pass",
  fail: "fail",
  warn: "warn",
  error: "error",
  "runtime error": "error",
  skipped: "skipped",
};

/** The field with the dbt command that was run. */
const WHICH = "args.which";
const SCHEMA_VERSION = "metadata.dbt_schema_version";

const isOfResults: Wanted = (section, key) =>
  section === "results" || [WHICH, SCHEMA_VERSION].includes(`${section}.${key}`);

/** @param file its results, and how each is read; null if it is not the result of a check */
async function readResults<Result>(
  input: Input,
  options: ReadOptions,
  file: { artifact: string; shape: z.ZodType<Result>; read: (result: Result) => [name: string, CheckResult] | null },
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
      const { data, error } = file.shape.safeParse(value);
      if (error !== undefined) errors.push(asWarning(malformedMember(`a result in ${input.name}`, error)));
      // Copied, because a slice would keep the file's whole chunk in memory.
      const found = data === undefined ? null : structuredClone(file.read(data));
      if (found !== null) results.set(...found);
    }
  }
  if (!facts.get(SCHEMA_VERSION)?.includes(`/dbt/${file.artifact}/`)) {
    const why = `does not contain dbt ${file.artifact}: ${SCHEMA_VERSION} does not say so`;
    throw failure(input, { code: "not_results", stage: "parse", why });
  }
  if (left > 0) {
    const message = `Of the results in ${input.name} only the first ${MAX_RESULTS} were read; ${left} were left out.`;
    errors.push(warningEvent({ code: "too_many", object: input.name, stage: "parse", message }));
  }
  return { results, errors, args: facts };
}

/**
 * Reads the last results of tests, and of the contracts of models that were built.
 * @throws CrawlFailure if the file contains no dbt results
 */
export async function readRunResults(input: Input, options: ReadOptions): Promise<CheckResults> {
  const { results, errors, args } = await readResults(input, options, {
    artifact: "run-results",
    shape: runResultShape,
    read({ unique_id: id, status, message, failures, timing }) {
      const isModel = id.startsWith("model.");
      const outcome = isModel ? contractOutcome(status, message) : TEST_OUTCOMES[status];
      if (outcome === undefined || !/^(test|unit_test|model)\./.test(id)) return null;
      const shown = toPlain(outcome === "pass" && isModel ? "" : message);
      const result = { status: outcome, message: shown, failures: failures ?? null, ranAt: endOf(timing) };
      return isModel ? [checkNames.contract(id), { ...result, failures: null }] : [id, result];
    },
  });
  if (BUILDING.has(args.get(WHICH) ?? "")) return { results, errors };
  // Other commands, such as `compile` and `test`, build no model.
  return { results: new Map([...results].filter(([name]) => !name.startsWith(checkNames.contract("")))), errors };
}

/** The outcome of a contract, from how the model's build ended. Only an error about the contract is a failure of it. */
function contractOutcome(status: string, message: string): CheckOutcome | undefined {
  if (status === "success") return "pass";
  if (status === "error") return /\bcontract\b/i.test(message) ? "fail" : "error";
  return status === "skipped" ? "skipped" : undefined;
}

/**
 * Reads the last results of freshness checks.
 * @throws CrawlFailure if the file contains no such results
 */
export async function readSourceResults(input: Input, options: ReadOptions): Promise<CheckResults> {
  const { results, errors } = await readResults(input, options, {
    artifact: "sources",
    shape: sourceResultShape,
    read({ unique_id: id, status, error, max_loaded_at, snapshotted_at, criteria, timing }) {
      // In dbt, `error` means that the data is too old, and `runtime error` that the query failed.
      const outcome = status === "error" ? "fail" : TEST_OUTCOMES[status];
      if (outcome === undefined) return null;
      const message = error === null ? describeAge(max_loaded_at, criteria) : toPlain(error);
      const ranAt = toIso(snapshotted_at) ?? endOf(timing);
      return [checkNames.freshness(id), { status: outcome, message, failures: null, ranAt }];
    },
  });
  return { results, errors };
}

function describeAge(
  newest: string,
  criteria: Partial<Record<"warn_after" | "error_after", Threshold | null>> | null | undefined,
) {
  const limits = (["warn_after", "error_after"] as const).flatMap((limit) => {
    const threshold = criteria?.[limit] ?? null;
    return threshold === null ? [] : [`${limit.replace("_", " ")} ${describeThreshold(threshold)}`];
  });
  const at = toIso(newest);
  return [...(at === null ? [] : [`newest row: ${at}`]), ...limits].join("; ");
}

function describeThreshold({ count, period }: Threshold): string {
  return `${count} ${excerpt(toPlain(period))}${count === 1 ? "" : "s"}`;
}

/** Makes an error a warning: without a result, the asset and its check are still in the catalog. */
function asWarning(event: CrawlEvent): CrawlEvent {
  return event.kind === "error" ? { kind: "error", error: { ...event.error, severity: "warning" } } : event;
}

/** Removes colours and control characters, and cuts a long text. */
function toPlain(text: string): string {
  const plain = stripVTControlCharacters(text.slice(0, 4 * MAX_MESSAGE_CHARACTERS))
    .replace(/[^\P{Cc}\n]/gu, " ")
    .trim();
  return excerpt(plain, MAX_MESSAGE_CHARACTERS).toWellFormed();
}

function endOf(timing: readonly { name: string; completed_at: string }[]): string | null {
  const step = timing.find(({ name }) => name === "execute") ?? timing.at(-1);
  return step === undefined ? null : toIso(step.completed_at);
}

/** dbt's times are UTC, even without an offset. */
function toIso(time: string): string | null {
  const at = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}
