/** The errors of logging in that have codes of their own. */
import { AppError } from "../../errors.ts";

/** Codes for the login page. Those of single sign-on come as `/login?error=CODE`. */
export type LoginErrorCode =
  | "invalid_login"
  | "invalid_link"
  | "sso_unavailable"
  | "sso_failed"
  | "sso_denied"
  | "sso_not_allowed";

export class LoginError extends AppError {
  readonly loginCode: LoginErrorCode;

  constructor(loginCode: LoginErrorCode, message: string, cause?: unknown) {
    const code =
      loginCode === "invalid_link" ? "not_found" : loginCode === "sso_unavailable" ? "unavailable" : "unauthorized";
    super(code, message, cause === undefined ? {} : { cause });
    this.loginCode = loginCode;
  }
}

/** The same for an unknown address and a wrong password. */
export function invalidLogin(): LoginError {
  return new LoginError("invalid_login", "The e-mail address or the password is wrong.");
}

export function invalidLink(): LoginError {
  return new LoginError("invalid_link", "The link is unknown, was used already, or is too old. Ask for a new one.");
}
