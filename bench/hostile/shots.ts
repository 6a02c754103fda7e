/** The stream of requests: the attacks of the catalogue, and those of the fuzzer between them. Each has a number. */
import type { GraphQLSchema } from "graphql";

import { seeded } from "../support/random.ts";
import { ATTACKS } from "./attacks/catalogue.ts";
import { type Attack, pick } from "./attacks/attack.ts";
import { graphql, type Shot } from "./client.ts";
import { makeOperation } from "./fuzz/operation.ts";
import type { Targets } from "./world.ts";

/** The selected attacks: those whose name contains `only`, and no part of `skip`. */
export interface Choice {
  only: string;
  skip: readonly string[];
}

const FUZZER = "fuzzer";
const FUZZED_SHARE = 0.4;
const HANG_UP_SHARE = 0.15;
const LATEST_HANG_UP_MS = 40;

export interface NumberedShot {
  number: number;
  name: string;
  shot: Shot;
  /** Null: waits for the answer. */
  hangUpAfterMs: number | null;
}

export interface ShotSource {
  /** The same for the same number and seed. */
  shotAt(number: number): NumberedShot;
}

interface ShotParts {
  seed: number;
  targets: Targets;
  schema: GraphQLSchema;
  choice: Choice;
}

/** @throws Error if the selection is empty */
export function createShots({ seed, targets, schema, choice }: ShotParts): ShotSource {
  const fuzzes = isChosen(FUZZER, choice);
  const attacks = attacksOf(choice);
  if (attacks.length === 0 && !fuzzes) throw new Error("no attack is called so");
  const { hub, hubColumn, models, large, wide, chain, metrics, dashboards, connector } = targets;
  const ids = [hub, hubColumn, chain, connector, ...models, ...large, ...wide, ...metrics, ...dashboards];

  return {
    shotAt(number) {
      const random = seeded(seed * 1_000_003 + number);
      const isFuzzed = attacks.length === 0 || (fuzzes && random() < FUZZED_SHARE);
      const hangUpAfterMs = random() < HANG_UP_SHARE ? Math.floor(random() * LATEST_HANG_UP_MS) : null;
      if (!isFuzzed) {
        const { name, aim } = pick(attacks, random);
        return { number, name, shot: aim(targets, random), hangUpAfterMs };
      }
      const { query, variables } = makeOperation(schema, { random, ids });
      return { number, name: FUZZER, shot: graphql(query, variables), hangUpAfterMs };
    },
  };
}

/** The chosen attacks of the catalogue. */
export function attacksOf(choice: Choice): readonly Attack[] {
  return ATTACKS.filter(({ name }) => isChosen(name, choice));
}

function isChosen(name: string, { only, skip }: Choice): boolean {
  return name.includes(only) && !skip.some((part) => name.includes(part));
}
