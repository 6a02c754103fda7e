/** What is computed otherwise, in the JSON of the impact report. */
import { z } from "zod";

import { RISKS } from "../catalog/impact.ts";
import { NODE_TYPES } from "../catalog/node-types.ts";
import type { Rewritten } from "./rewritten.ts";

const named = { id: z.string().brand<"NodeId">(), name: z.string(), fqn: z.string(), type: z.enum(NODE_TYPES) };

const owned = {
  owner: z.string().describe("The owner's e-mail address; empty if not known."),
  owner_name: z.string().describe("The owner's name as this record states it; empty if it states none."),
};

export const rewritten = z
  .object({
    assets: z
      .array(
        z.object({
          ...named,
          other_rows: z.boolean().describe("Whether other SQL decides which rows it has, and so all of its columns."),
          columns: z
            .array(z.string())
            .describe("The first columns that it computes otherwise; empty if its rows or what it reads decide that."),
          risk: z
            .enum(RISKS)
            .nullable()
            .describe("The highest risk for a dashboard or metric that reads it; null if none does."),
          ...owned,
        }),
      )
      .describe("Models with SQL that computes something otherwise, and metrics with another expression."),
    readers: z
      .array(
        z.object({
          ...named,
          risk: z.enum(RISKS),
          assets: z.array(z.int().min(0)).describe("What it reads, as positions in `assets`, counted from 0."),
          ...owned,
        }),
      )
      .describe("The dashboards and metrics that read it, the highest risk first."),
    truncated: z.boolean().describe("True if there are more than are listed."),
  })
  .default({ assets: [], readers: [], truncated: false })
  .describe(
    "What is computed otherwise, so that people read other numbers, though nothing breaks. `summary` does not count it, and it does not fail.",
  );

type RewrittenJson = z.infer<typeof rewritten>;

export function toRewrittenJson({ assets, readers, truncated }: Rewritten): RewrittenJson {
  return {
    assets: assets.map((asset) => {
      const { id, name, fqn, type, hasOtherRows, columns, risk, owner, ownerName } = asset;
      return { id, name, fqn, type, other_rows: hasOtherRows, columns, risk, owner, owner_name: ownerName };
    }),
    readers: readers.map((reader) => {
      const { id, name, fqn, type, risk, assets: positions, owner, ownerName } = reader;
      return { id, name, fqn, type, risk, assets: positions, owner, owner_name: ownerName };
    }),
    truncated,
  };
}

export function fromRewrittenJson({ assets, readers, truncated }: RewrittenJson): Rewritten {
  return {
    assets: assets.map(({ other_rows: hasOtherRows, owner_name: ownerName, ...asset }) => {
      return { ...asset, hasOtherRows, ownerName };
    }),
    readers: readers.map(({ owner_name: ownerName, ...reader }) => ({ ...reader, ownerName })),
    truncated,
  };
}
