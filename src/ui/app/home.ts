/** Where the workspace begins. */
export const HOME = "/";

/** The first steps through the workspace. */
export const START = "/start";

/** What the person was told. */
export const NOTICES = "/notices";
