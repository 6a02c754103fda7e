/** The paths of pages that other parts of the workspace lead to. */
export const HOME = "/";
export const START = "/start";
export const NOTICES = "/notices";
