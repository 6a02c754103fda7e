/** The forms that values of settings have, and what each setting is for, in words. */
import { isAbsolute } from "node:path";
import { z } from "zod";

import { decode, parseValkeyAddress } from "./valkey-address.ts";

export interface Words {
  about: string;
  default?: string;
  /** Used in the error about a wrong value: "PORT must be …". */
  mustBe: string;
  /** Whether it is a secret or may contain one. Then the name with `_FILE` may name a file with the value instead. */
  isSecret?: true;
}

/** What every value of a form must be. A setting may have other words for it. */
const forms = z.registry<Pick<Words, "mustBe">>();
export const words = z.registry<Omit<Words, "mustBe"> & Partial<Pick<Words, "mustBe">>>();

export function wordsOf(value: z.core.$ZodType): Words {
  const form = forms.get(value instanceof z.ZodOptional ? value.unwrap() : value);
  const own = words.get(value);
  const mustBe = own?.mustBe ?? form?.mustBe;
  if (own === undefined || mustBe === undefined) throw new TypeError("A setting has no description.");
  return { ...own, mustBe };
}

export const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((value) => value <= 65_535)
  .register(forms, { mustBe: "a whole number from 0 to 65535" });

/** A whole number from 1. */
const wholeNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/)
  .transform(Number);
export const upTo = (highest: number) =>
  wholeNumber.refine((value) => value <= highest).register(forms, { mustBe: `a whole number from 1 to ${highest}` });

export const printable = (most: number) =>
  z
    .string()
    .regex(new RegExp(`^[\\x21-\\x7e]{1,${most}}$`))
    .register(forms, { mustBe: `at most ${most} characters without spaces` });

/** A URL without credentials, which errors would show, and without a query, so that paths can be added to it. */
export const endpoint = z
  .url({ protocol: /^https?$/ })
  .refine((text) => !/[?#@]/.test(text))
  .transform((text) => text.replace(/\/+$/, ""));

/** An OpenID Connect issuer. Over http only on this machine: somebody who changes its answers could log in as anybody. */
export const issuer = z
  .url({ protocol: /^https?$/ })
  .refine((text) => !/[?#@]/.test(text))
  .refine((text) => text.startsWith("https:") || isThisMachine(URL.parse(text)?.hostname ?? ""));

function isThisMachine(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

const POSTGRES_PARAMETERS: Readonly<Record<string, RegExp>> = {
  sslmode: /^(disable|require|verify-full)$/,
  sslrootcert: /^\//,
};

/** Whether each % begins a character. */
const isEncoded = (text: string): boolean => !/%(?![\da-f]{2})/i.test(text);

/** A database of PostgreSQL with the user, and with no parameters but those that are listed above. */
export const postgres = z.url({ protocol: /^postgres(ql)?$/ }).refine((text) => {
  const { username, password, hostname, pathname, hash, searchParams } = new URL(text);
  if (![username, password, pathname].every(isEncoded)) return false;
  const known = [...searchParams].every(([name, value]) => POSTGRES_PARAMETERS[name]?.test(value) === true);
  return username !== "" && hostname !== "" && /^\/[^/]+$/.test(pathname) && hash === "" && known;
});

const list = z.string().transform((text) => text.split(",").map((each) => each.trim()));
export const domains = list.pipe(z.array(z.hostname().transform((name) => name.toLowerCase())));
export const groups = list
  .pipe(z.array(z.string().min(1).max(200)))
  .register(forms, { mustBe: "names separated by commas" });

export const origin = z
  .url({ protocol: /^https?$/ })
  .transform((text) => new URL(text))
  .refine((url) => url.href === `${url.origin}/`)
  .transform((url) => url.origin);

export const host = z.union([z.ipv4(), z.ipv6(), z.hostname()]);

export const hosts = list.pipe(z.array(host));

/** `name=value` pairs, as OpenTelemetry writes them: with `%20` for a space in a value. */
export const headers = list.transform((pairs, { addIssue }) => {
  const parsed = pairs.map((pair) => /^([\w-]+)=([\x21-\x7e][\x20-\x7e]*)$/.exec(pair));
  const entries = parsed.map((match) => [match?.[1] ?? "", decode(match?.[2] ?? "%") ?? ""] as const);
  if (entries.some(([, value]) => !/^[\x21-\x7e][\x20-\x7e]*$/.test(value))) addIssue("not name=value");
  return Object.fromEntries(entries);
});

/** From 0 to 1. */
export const ratio = z
  .string()
  .regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/)
  .transform(Number);

export const folders = list.pipe(z.array(z.string().refine(isAbsolute)));

export const valkeyAddress = z.string().transform((text, { addIssue }) => {
  const address = parseValkeyAddress(text);
  if (address !== null && host.safeParse(address.host).success) return address;
  addIssue("not an address of Valkey");
  return z.NEVER;
});

export const networks = list.pipe(z.array(z.union([z.cidrv4(), z.cidrv6()])));
