/** Checks whether the workspace accepts tokens from this address. */
import { requireAllowedSource } from "../../auth/allowed-source.ts";
import { getPrincipal } from "../../graphql/context.ts";
import type { Check } from "../state.ts";

/** @throws AppError `forbidden` */
export const requireAllowed: Check = ({ state }) => requireAllowedSource(state.source, getPrincipal(state).security);
