/** Lines that call the service, to paste into a terminal, a program or the settings of an agent. */

/** Stands for the key, which the environment has. */
const TOKEN = "$TRIBUTARY_TOKEN";

/** @param base the service's origin, such as `https://tributary.example.com` */
export function writeCurl(base: string, token = TOKEN): string {
  return `curl -H "Authorization: Bearer ${token}" \\
  "${base}/api/v1/catalog/assets?limit=5"`;
}

export function writeGraphql(base: string): string {
  return `curl -H "Authorization: Bearer ${TOKEN}" -H "Content-Type: application/json" \\
  -d '{"query": "{ assets(search: \\"orders\\", first: 5) { nodes { fqn type owner } } }"}' \\
  "${base}/graphql"`;
}

export function writePython(base: string): string {
  return `import json, os, urllib.request

request = urllib.request.Request(
    "${base}/api/v1/catalog/assets?limit=5",
    headers={"Authorization": f"Bearer {os.environ['TRIBUTARY_TOKEN']}"},
)
with urllib.request.urlopen(request) as response:
    for asset in json.load(response)["data"]:
        print(asset["type"], asset["name"])`;
}

/** For Claude Code; other agents take the same address and header. */
export function writeMcp(base: string): string {
  return `claude mcp add --transport http --scope user tributary ${base}/mcp \\
  --header "Authorization: Bearer ${TOKEN}"`;
}

/** How a service account gets a token. */
export function writeOauth(base: string): string {
  return `curl -d grant_type=client_credentials -d client_id="$CLIENT_ID" -d client_secret="$CLIENT_SECRET" \\
  "${base}/oauth/token"`;
}
