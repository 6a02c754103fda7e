/** The errors of logging in. Their `details.reason` says more than their code. */
import { AppError } from "../../errors.ts";

/** The status of each reason. A failed single sign-on leads to `/login?error=REASON`. */
const CODES = {
  invalid_login: "unauthorized",
  invalid_link: "not_found",
  sso_unavailable: "unavailable",
  sso_failed: "unauthorized",
  sso_denied: "unauthorized",
  sso_not_allowed: "unauthorized",
} as const;

export class LoginError extends AppError {
  readonly reason: keyof typeof CODES;

  constructor(reason: keyof typeof CODES, message: string, cause?: unknown) {
    super(CODES[reason], message, { details: { reason }, cause });
    this.reason = reason;
  }
}

/** The same for an unknown address and a wrong password. */
export function invalidLogin(): LoginError {
  return new LoginError("invalid_login", "The e-mail address or the password is wrong.");
}

/** @param why for admins: it is not shown to the person */
export function notAllowed(why: string): LoginError {
  return new LoginError("sso_not_allowed", why);
}

export function invalidLink(): LoginError {
  return new LoginError("invalid_link", "The link is unknown, was used already, or is too old. Ask for a new one.");
}
