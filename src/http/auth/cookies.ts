/** The cookies of sessions, of known browsers, and of attempts to log in at a provider (RFC 6265). */
import type { RestContext } from "../state.ts";

interface Cookie {
  /** @returns its value; null if there is none, or several, of which one may have been planted */
  read(ctx: RestContext): string | null;
  /** @param maxAgeSeconds after which the browser forgets it */
  set(ctx: RestContext, value: string, maxAgeSeconds: number): void;
  clear(ctx: RestContext): void;
}

export interface Cookies {
  session: Cookie;
  /** Recognises a browser in which a person logged in before. */
  device: Cookie;
  /** One attempt to log in at a provider. */
  flow: Cookie;
}

const NAMES = { session: "tributary_session", device: "tributary_device", flow: "tributary_sso" } as const;

/** @param publicUrl with https, browsers must send the cookies over nothing else, and only this host may set them */
export function createCookies(publicUrl: () => string): Cookies {
  return {
    session: createCookie(NAMES.session, publicUrl),
    device: createCookie(NAMES.device, publicUrl),
    flow: createCookie(NAMES.flow, publicUrl),
  };
}

function createCookie(plainName: string, publicUrl: () => string): Cookie {
  const isSecure = (): boolean => publicUrl().startsWith("https:");
  const name = (): string => (isSecure() ? `__Host-${plainName}` : plainName);
  const write = (ctx: RestContext, value: string, maxAgeSeconds: number): void => {
    // Lax: a provider's redirect brings it, and a form of another site does not.
    const attributes = [
      `Max-Age=${maxAgeSeconds}`,
      "Path=/",
      "HttpOnly",
      "SameSite=Lax",
      ...(isSecure() ? ["Secure"] : []),
    ];
    ctx.append("Set-Cookie", [`${name()}=${value}`, ...attributes].join("; "));
  };
  return {
    read({ req }) {
      const pairs = (req.headersDistinct["cookie"] ?? []).join(";").split(";");
      const wanted = `${name()}=`;
      const values = pairs.flatMap((pair) =>
        pair.trim().startsWith(wanted) ? [pair.trim().slice(wanted.length)] : [],
      );
      const [value = ""] = values;
      return values.length === 1 && value !== "" ? value : null;
    },
    set: write,
    clear: (ctx) => write(ctx, "", 0),
  };
}
