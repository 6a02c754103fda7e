/** The path of the token endpoint. It is not under the API's prefix. */
export const TOKEN_PATH = "/oauth/token";
