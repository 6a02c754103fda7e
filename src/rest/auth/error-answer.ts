/** Translates every error of the paths where people log in. */
import { LoginError } from "../../auth/logins/login-error.ts";
import { toErrorHeaders, type Translator } from "../error-answer.ts";
import { SESSION_PATH } from "./paths.ts";

/** How people can log in. */
export interface LoginWays {
  password: true;
  sso: { name: string } | null;
}

/** The body is `{ error: { code, message, details? } }`. Whoever asks for a session without one learns how to log in. */
export function toAuthErrorAnswer(path: string, login: LoginWays): Translator {
  return (error) => {
    const { details, message, status } = error;
    const code = error instanceof LoginError ? error.loginCode : error.code;
    const ways = status === 401 && path === SESSION_PATH ? { login } : {};
    return {
      status,
      headers: toErrorHeaders(error),
      body: JSON.stringify({ error: { code, message, details }, ...ways }),
    };
  };
}
