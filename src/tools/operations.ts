/** What the operations that tools run answer. */
import type { Found, Operation } from "../operations.ts";

export type { Operation };

/** What a tool is answered. Only an asset may be missing: the service throws if anything else is not there. */
export type ToolAnswer<Name extends Operation> = {
  [Field in keyof Found<Name>]: Field extends "asset"
    ? Found<Name, Date | string>[Field]
    : NonNullable<Found<Name, Date | string>[Field]>;
};
