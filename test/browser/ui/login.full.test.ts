import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { establishWorkspace, getDefaultWorkspace } from "../../../src/cli/start/workspace.ts";
import { hasBrowser } from "../../support/browser.ts";
import { CLIENT, startProvider } from "../../support/oidc-provider.ts";
import { PASSWORD } from "../../support/page.ts";
import { ADMIN, findAxeFaults, isShown, startUi, type UiBench } from "../../support/ui.ts";

const logIn = async (page: Page, password: string): Promise<void> => {
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
};
const headingOf = (page: Page) => page.getByRole("heading", { level: 1 });

// Skipped without a browser. Continuous integration has one.
describe.skipIf(!hasBrowser)("logging in to the workspace", () => {
  let bench: UiBench;
  beforeAll(async () => {
    bench = await startUi({});
  });
  afterAll(() => bench?.close());

  it("A one-time link logs a person in, and its token is sent to no server in an address", async () => {
    const { page } = await bench.open(`/welcome#token=${await bench.firstAdminToken()}`, { as: null });
    await headingOf(page).getByText("Welcome to Tributary").waitFor();
    await page.getByLabel("Your name").fill(ADMIN.name);
    await page.getByLabel("E-mail").fill(ADMIN.email);
    await page.getByLabel("Password").fill("password1234");
    await page.getByRole("button", { name: "Enter the workspace" }).click();
    await page.getByText(/The password is one of the most common passwords/).waitFor();
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Enter the workspace" }).click();
    await headingOf(page).getByText("Home").waitFor();
    expect(page.url()).toBe(`${bench.running.url}/`);
    await page.getByRole("heading", { name: "Connect your dbt project" }).waitFor();
  });

  it("The login asks for a password, says in plain words if it is wrong, and then shows the requested page", async () => {
    const { page, faults } = await bench.open("/catalog?q=orders", { as: null });
    await page.getByLabel("E-mail").fill(ADMIN.email);
    await logIn(page, "something else");
    await page.getByRole("alert").getByText("Address or password is wrong.").waitFor();
    await logIn(page, PASSWORD);
    await headingOf(page).getByText("Catalog").waitFor();
    expect(await page.getByLabel("Search the catalog").inputValue()).toBe("orders");
    expect(faults).toEqual([]);
  });

  it("The identity provider logs a person in to several separate workspaces at once, and leads back to the page", async () => {
    const provider = await startProvider();
    onTestFinished(() => provider.close());
    const { issuer: OIDC_ISSUER } = provider;
    const OIDC = { OIDC_ISSUER, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret };
    const withProvider = await startUi({
      sample: true,
      env: { ...OIDC, OIDC_NAME: "Okta", OIDC_DOMAINS: "example.com", OIDC_ENGINEER_GROUPS: "data" },
    });
    onTestFinished(() => withProvider.close());
    const { app, url } = withProvider.running;
    const branch = await establishWorkspace(app.metadata, "branch", "live");
    const { id: home } = await getDefaultWorkspace(app.metadata);
    await app.metadata.users.create({ workspaceId: home, email: "grace@example.com", role: "analyst" });
    await app.metadata.users.create({ workspaceId: branch.id, email: "grace@example.com", role: "admin" });
    const person = { email: "grace@example.com", email_verified: true, name: "Grace Hopper", groups: ["data"] };
    provider.people.set("grace", person);
    provider.open(url);
    provider.present = "grace";

    const { page, faults } = await withProvider.open("/catalog?q=orders", { as: null });
    await page.getByRole("link", { name: "Continue with Okta" }).click();
    await page.getByText("Nothing found").waitFor();
    expect(page.url()).toBe(`${url}/catalog?q=orders`);
    const menu = page.getByRole("button", { name: "Grace Hopper" });
    await menu.click();
    expect(await isShown(page.getByText("grace@example.com · admin"))).toBe(true);
    expect(await findAxeFaults(page)).toEqual([]);
    await page.getByRole("menuitemradio", { name: "default" }).click();
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    await menu.click();
    expect(await isShown(page.getByText("grace@example.com · engineer"))).toBe(true);
    await page.keyboard.press("Escape");

    await page.goto(`${url}/catalog?q=fct_orders`);
    await page.getByRole("link", { name: "fct_orders", exact: true }).click();
    await headingOf(page).getByText("fct_orders").waitFor();
    const asset = page.url();
    const other = await page.context().newPage();
    await other.goto(asset);
    await headingOf(other).getByText("fct_orders").waitFor();
    await menu.click();
    await page.getByRole("menuitemradio", { name: "branch" }).click();
    await page.getByText("The catalog is empty").waitFor();
    await page.goto(asset);
    await page.getByText("There is no such asset").waitFor();
    // The open tab notices the switch, and no longer shows what it had loaded.
    await other.getByRole("link", { name: "Connectors" }).click();
    await other.getByText("No connectors yet").waitFor();
    await other.goBack();
    await other.getByText("There is no such asset").waitFor();

    await menu.click();
    await page.getByRole("menuitem", { name: "Log out" }).click();
    await page.waitForURL((address) => address.origin === provider.issuer);
    // The provider is on the same host here, and so are its cookies.
    const names = (await page.context().cookies(url)).map(({ name }) => name);
    expect(names).not.toContain("tributary_session");
    expect(faults).toEqual([]);
  });

  it("The login says why the identity provider led back, and where to go from there", async () => {
    const { page } = await bench.open("/login?error=sso_denied", { as: null });
    await page.getByRole("alert").getByText("cancelled or refused at the provider").waitFor();
    await page.getByLabel("E-mail").fill(ADMIN.email);
    await logIn(page, PASSWORD);
    await headingOf(page).getByText("Home").waitFor();
    expect(page.url()).toBe(`${bench.running.url}/`);
  });

  it("The login says that a link no longer works", async () => {
    const { page } = await bench.open("/welcome#token=used", { as: null });
    expect(await isShown(page.getByText("A link works once. Ask an admin for a new one."))).toBe(true);
    // There may be no admin yet.
    expect(await isShown(page.getByText("If nobody has logged in yet, restart the service"))).toBe(true);
  });

  it("When the session ends, the login appears over the page, and the page keeps what was typed", async () => {
    const { page, endSession } = await bench.open("/catalog");
    await page.getByText("The catalog is empty").waitFor();
    await endSession();
    await page.getByLabel("Search the catalog").fill("orders");
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.waitFor();
    expect(await dialog.getByLabel("E-mail").inputValue()).toBe(ADMIN.email);
    await page.keyboard.press("Escape");
    expect(await dialog.isVisible()).toBe(true);
    await logIn(page, PASSWORD);
    await dialog.waitFor({ state: "detached" });
    expect(await page.getByLabel("Search the catalog").inputValue()).toBe("orders");
  });

  it("The page stays if the service cannot say whether the session is still valid", async () => {
    const { page, endSession } = await bench.open("/catalog");
    await page.getByText("The catalog is empty").waitFor();
    await endSession();
    await page.route("**/auth/session", (route) => route.fulfill({ status: 503, body: "" }));
    const asked = page.waitForResponse((answer) => answer.url().endsWith("/auth/session"));
    await page.getByLabel("Search the catalog").fill("orders");
    await (await asked).finished();
    await page.getByText("This could not be loaded").waitFor();
    expect(await page.getByLabel("Search the catalog").inputValue()).toBe("orders");
  });

  it("If the service fails after a login, the form says so, and the page behind it stays", async () => {
    const { page, endSession } = await bench.open("/catalog");
    await page.getByText("The catalog is empty").waitFor();
    await endSession();
    await page.getByLabel("Search the catalog").fill("orders");
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.waitFor();
    await page.route("**/auth/session", (route) => route.abort());
    await logIn(page, PASSWORD);
    await dialog.getByRole("alert").getByText("The service cannot be reached.").waitFor();
    await page.unroute("**/auth/session");
    await logIn(page, PASSWORD);
    await dialog.waitFor({ state: "detached" });
    expect(await page.getByLabel("Search the catalog").inputValue()).toBe("orders");
  });

  it("When the session ends, the provider opens in another tab, and the page notices a login there", async () => {
    const OIDC = { OIDC_ISSUER: "https://id.example.com", OIDC_CLIENT_ID: "tributary", OIDC_CLIENT_SECRET: "s3cret" };
    const withProvider = await startUi({ env: { ...OIDC, OIDC_NAME: "Okta", OIDC_DOMAINS: "example.com" } });
    onTestFinished(() => withProvider.close());
    const { page, endSession } = await withProvider.open("/catalog");
    await page.getByText("The catalog is empty").waitFor();
    await endSession();
    await page.getByLabel("Search the catalog").fill("orders");
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    const link = dialog.getByRole("link", { name: "Continue with Okta" });
    expect(await link.getAttribute("target")).toBe("_blank");
    const other = await page.context().newPage();
    await other.goto(withProvider.running.url);
    await other.getByLabel("E-mail").fill(ADMIN.email);
    await logIn(other, PASSWORD);
    await headingOf(other).getByText("Home").waitFor();
    // No tab has the focus in a browser without a window.
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await dialog.waitFor({ state: "detached" });
    expect(await page.getByLabel("Search the catalog").inputValue()).toBe("orders");
  });

  it("If an upgrade removed a file of a page, the page reloads once, and then says that it has a fault", async () => {
    const { page } = await bench.open("/catalog");
    await page.getByText("The catalog is empty").waitFor();
    const loads: string[] = [];
    page.on("request", (request) => {
      if (request.isNavigationRequest()) loads.push(new URL(request.url()).pathname);
    });
    const gone = "**/metrics-page*.js";
    await page.route(gone, (route) => route.fulfill({ status: 404, body: "{}" }));
    await page.getByRole("link", { name: "Metrics" }).click();
    await expect.poll(() => loads).toEqual(["/metrics"]);
    await headingOf(page).getByText("This page has a fault").waitFor();
    expect(loads).toEqual(["/metrics"]);
    await page.unroute(gone);
    await page.getByRole("button", { name: "Load it again" }).click();
    await headingOf(page).getByText("Metrics").waitFor();
    expect(await page.evaluate<number>("sessionStorage.length")).toBe(0);
  });

  it("After a logout, nothing of the workspace is shown", async () => {
    const { page } = await bench.open("/catalog");
    await page.getByRole("button", { name: ADMIN.name }).click();
    await page.getByRole("menuitem", { name: "Log out" }).click();
    await headingOf(page).getByText("Log in to your workspace").waitFor();
    expect(await page.getByRole("navigation").count()).toBe(0);
    // The browser stays known for this person.
    const cookies = await page.context().cookies();
    expect(cookies.map(({ name }) => name)).toEqual(["tributary_device"]);
  });
});
