// Queries are sent as whoever is logged in to the workspace, unless a key is given, which stays in this tab.
// GraphiQL asks for the schema before anybody can type a key: it is answered from the page.

const bar = document.getElementById("key-bar");
const [input, output] = [bar.querySelector("input"), bar.querySelector("output")];
const introspection = /* introspection */ null;
const unsent = globalThis.fetch.bind(globalThis);
const stored = () => sessionStorage.getItem("tributary-key") ?? "";
/** The session of the workspace UI; null if nobody is logged in. */
const asked = unsent("/auth/session", { headers: { Accept: "application/json" } })
  .then((response) => (response.ok ? response.json() : null))
  .catch(() => null);

function describe(session) {
  if (stored() !== "") return "Queries are sent with this key.";
  if (session !== null) return `Queries are sent as ${session.user.email}.`;
  return "Queries need a key: the first start prints one, and so does npx tributary key create --name me";
}

async function show() {
  input.value = stored();
  output.textContent = describe(await asked);
}

/** With a key, the cookie is not sent, so that the key alone says who asks. */
async function prove(init) {
  const headers = new Headers(init.headers);
  if (stored() === "") {
    const session = await asked;
    if (session !== null) headers.set("X-CSRF-Token", session.csrf_token);
    return { ...init, headers };
  }
  if (!headers.has("Authorization")) headers.set("Authorization", `Bearer ${stored()}`);
  return { ...init, headers, credentials: "omit" };
}

async function toGraphql(response) {
  const body = await response
    .clone()
    .json()
    .catch(() => null);
  if (typeof body?.error !== "string") return response;
  const { message, error, details } = body;
  return Response.json({ errors: [{ message, extensions: { code: error.toUpperCase(), details } }] });
}

globalThis.fetch = async (url, init = {}) => {
  const { operationName } = JSON.parse(init.body ?? "{}");
  if (operationName === "IntrospectionQuery") return Response.json({ data: introspection });
  return toGraphql(await unsent(url, await prove(init)));
};

bar.addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem("tributary-key", input.value.trim());
  void show();
});
void show();
