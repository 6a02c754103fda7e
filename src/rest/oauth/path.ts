/** Where clients get their tokens; at the origin, not under the API's prefix. */
export const TOKEN_PATH = "/oauth/token";
