/** The cookies of sessions, of known browsers, and of attempts to log in at a provider (RFC 6265). */
import type { RestContext } from "../state.ts";

type Cookie = ReturnType<typeof createCookie>;

export interface Cookies {
  session: Cookie;
  /** Recognises a browser in which a person logged in before. */
  device: Cookie;
  /** One attempt to log in at a provider. */
  flow: Cookie;
}

const NAMES = { session: "tributary_session", device: "tributary_device", flow: "tributary_sso" } as const;

/** @param publicUrl if it is https, browsers send the cookies only over https, and only this host may set them */
export function createCookies(publicUrl: () => string): Cookies {
  return {
    session: createCookie(NAMES.session, publicUrl),
    device: createCookie(NAMES.device, publicUrl),
    flow: createCookie(NAMES.flow, publicUrl),
  };
}

function createCookie(plainName: string, publicUrl: () => string) {
  const isSecure = (): boolean => publicUrl().startsWith("https:");
  const name = (): string => (isSecure() ? `__Host-${plainName}` : plainName);
  const write = (ctx: RestContext, value: string, maxAgeSeconds: number): void => {
    // Lax: browsers send it after a provider's redirect, but not with a form of another site.
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
    /** @returns its value. Null if there is none, or if there are several: another site may have set one of them. */
    read({ req }: RestContext): string | null {
      const pairs = (req.headersDistinct["cookie"] ?? []).join(";").split(";");
      const wanted = `${name()}=`;
      const values = pairs.flatMap((pair) =>
        pair.trim().startsWith(wanted) ? [pair.trim().slice(wanted.length)] : [],
      );
      const [value = ""] = values;
      return values.length === 1 && value !== "" ? value : null;
    },
    /** @param maxAgeSeconds the time after which the browser deletes it */
    set: write,
    clear: (ctx: RestContext) => write(ctx, "", 0),
  };
}
