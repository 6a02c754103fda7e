/** Attacks by logins: strangers try passwords from many addresses, so that no lockout stops them. */
import { post } from "../client.ts";
import { type Attack, nonce } from "./attack.ts";

const ADDRESSES = 1_250;

export const LOGIN_ATTACKS: readonly Attack[] = [
  {
    name: "a login of a stranger, from one of 1,250 addresses",
    aim(_targets, random) {
      const address = nonce(random) % ADDRESSES;
      const login = { email: `person${nonce(random)}@example.com`, password: "a wrong password" };
      return {
        ...post("/auth/login", JSON.stringify(login)),
        headers: { "sec-fetch-site": "same-origin" },
        from: `127.1.${address >> 8}.${address & 255 || 255}`,
      };
    },
  },
];
