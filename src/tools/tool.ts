/** Defines tools: questions to the catalog with an input and an output schema, for programs that choose among several. */
import type { z } from "zod";

import { badFields, renameFields } from "../errors.ts";
import { toFaults } from "../field-faults.ts";
import type { Found, Operation } from "../operations.ts";

/** The services that a tool uses on behalf of the caller. */
export interface ToolContext {
  /**
   * Runs an operation of `schema/tools` with the caller's rights. Times may be dates, which a tool's output makes texts.
   * @throws AppError as the operation does
   */
  ask<Name extends Operation>(operation: Name, variables: Readonly<Record<string, unknown>>): Promise<ToolAnswer<Name>>;
  /** Resolves when it is the caller's turn to continue work that blocks the event loop. */
  nextTurn(): Promise<void>;
}

/** The parts that a tool is defined by. No tool changes anything. */
interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  /** The name by which models call it. */
  name: string;
  title: string;
  /** Written for a model that chooses a tool: what this one answers, when to use it, and when to use another. */
  description: string;
  /** Whether a service outside of the catalog may be asked for help. Default: no. */
  asksOutside?: boolean;
  input: Input;
  output: Output;
  run(input: z.output<Input>, context: ToolContext): Promise<z.input<Output>>;
}

/** A tool that can be called. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  asksOutside?: boolean;
  input: z.ZodObject;
  output: z.ZodObject;
  /**
   * @param given whatever the caller gave
   * @throws AppError `bad_request` with all faults of the input, and what the operations throw
   */
  call(given: unknown, context: ToolContext): Promise<Record<string, unknown>>;
}

/** Makes a tool that validates its input and its output. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>({
  run,
  ...tool
}: ToolDefinition<Input, Output>): Tool {
  return {
    ...tool,
    async call(given, context) {
      const { data: input, error } = tool.input.safeParse(given);
      if (error !== undefined) throw badFields(error.issues.flatMap((issue) => toFaults(issue, WORDS)));
      try {
        return tool.output.parse(await run(input, context));
      } catch (thrown) {
        throw renameFields(thrown, (field) => ARGUMENTS[field] ?? field);
      }
    },
  };
}

/** In a fault: how all arguments are called, and what is said of one that there is not. */
const WORDS = { whole: "arguments", unknownKey: "is no argument of this tool" };

/** GraphQL arguments that have another name in tools. */
const ARGUMENTS: Readonly<Record<string, string>> = { after: "cursor", first: "limit", query: "question" };

/** What a tool is answered. Only an asset may be missing: the service throws if anything else is not there. */
export type ToolAnswer<Name extends Operation> = {
  [Field in keyof Found<Name>]: Field extends "asset"
    ? Found<Name, Date | string>[Field]
    : NonNullable<Found<Name, Date | string>[Field]>;
};
