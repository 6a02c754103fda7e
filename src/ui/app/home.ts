/** Where the workspace begins. */
export const HOME = "/catalog";
