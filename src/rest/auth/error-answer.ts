/** Translates the errors of `/auth/session`: without a session, `details.login` says how people can log in. */
import { AppError } from "../../errors.ts";
import { toErrorAnswer, type Translator } from "../error-answer.ts";

/** How people can log in. */
export interface LoginWays {
  password: true;
  sso: { name: string } | null;
}

export function toSessionErrorAnswer(login: LoginWays): Translator {
  return (error) =>
    toErrorAnswer(error.status === 401 ? new AppError(error.code, error.message, { details: { login } }) : error);
}
