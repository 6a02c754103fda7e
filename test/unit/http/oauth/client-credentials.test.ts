import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { type Form, readClientCredentials } from "../../../../src/http/oauth/token.ts";
import { OauthError } from "../../../../src/auth/oauth-error.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

const encode = (part: string): string => new URLSearchParams({ "": part }).toString().slice(1);

/** The error for these credentials, or "none". */
function refusalOf(headers: readonly string[], form: Form = {}): string {
  try {
    readClientCredentials(headers, form);
    return "none";
  } catch (error) {
    return error instanceof OauthError ? `${error.status} ${error.oauthCode}` : String(error);
  }
}

describe("HTTP Basic", () => {
  it("Client credentials by HTTP Basic are decoded as in a form, whatever text they are", () => {
    const text = fc.string({ unit: "binary", minLength: 1 });
    fc.assert(
      fc.property(text, text, (clientId, clientSecret) => {
        const header = `Basic ${base64(`${encode(clientId)}:${encode(clientSecret)}`)}`;
        expect(readClientCredentials([header], {})).toEqual({ clientId, clientSecret });
      }),
    );
  });

  it.each([
    ["a colon in the secret", "cli_1:a:b", { clientId: "cli_1", clientSecret: "a:b" }],
    ["an encoded colon in the id", "cli%3A1:a", { clientId: "cli:1", clientSecret: "a" }],
    ["an underscore that need not be encoded", "cli%5F1:svc%5Fcs", { clientId: "cli_1", clientSecret: "svc_cs" }],
    ["a plus, which is a space", "a+b:c%2Bd", { clientId: "a b", clientSecret: "c+d" }],
    ["letters beyond ASCII", "é:%C3%A9", { clientId: "é", clientSecret: "é" }],
  ])("Client credentials by HTTP Basic may have %s", (_what, text, credentials) => {
    expect(readClientCredentials([`Basic ${base64(text)}`], {})).toEqual(credentials);
  });

  it.each(["basic", "BASIC", "Basic "])("Client credentials by HTTP Basic may name the scheme %j", (scheme) => {
    expect(refusalOf([`${scheme} ${base64("a:b")}`])).toBe("none");
  });

  it.each([
    "",
    "Basic",
    "Basic ",
    `Basic\t${base64("a:b")}`,
    `Basic ${base64("a:b")} `,
    `Basic ${base64("a:bc").replaceAll("=", "")}!`,
    "Basic YTpi=",
    "Basic YTpiYg",
    "Basic YTpiYh==",
    "Basic YT-iYg==",
    `Basic ${base64("no colon")}`,
    `Basic ${base64(":secret")}`,
    `Basic ${base64("id:")}`,
    `Basic ${base64("%zz:secret")}`,
    `Basic ${base64("id:%ff")}`,
    `Basic ${Buffer.from([0xff, 0x3a, 0x61]).toString("base64")}`,
    "Bearer svc_live_x",
  ])("Client credentials by HTTP Basic are refused as %j", (header) => {
    expect(refusalOf([header])).toBe("401 invalid_client");
  });

  it("Client credentials by HTTP Basic are refused if the form has some too", () => {
    const basic = `Basic ${base64("a:b")}`;
    expect(refusalOf([basic, basic])).toBe("400 invalid_request");
    expect(refusalOf([basic], { client_secret: "b" })).toBe("400 invalid_request");
    expect(refusalOf([basic], { client_id: "someone else" })).toBe("400 invalid_request");
    expect(refusalOf([basic], { client_id: "a" })).toBe("none");
  });
});

describe("Credentials in the form", () => {
  it("Client credentials in the form are an id and a secret", () => {
    const form = { client_id: "a", client_secret: "b" };
    expect(readClientCredentials([], form)).toEqual({ clientId: "a", clientSecret: "b" });
  });

  it.each([{}, { client_id: "a" }, { client_secret: "b" }])(
    "Client credentials in the form are refused as %j",
    (form) => {
      expect(refusalOf([], form)).toBe("401 invalid_client");
    },
  );
});
