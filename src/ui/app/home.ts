/** Where the workspace begins. */
export const HOME = "/catalog";

/** Where it begins for somebody who is here for the first time. */
export const START = "/start";
