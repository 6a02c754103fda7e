/** Lines that call the service, to paste into a terminal, a program or the settings of an agent. */

/**
 * @param base the service's origin, such as `https://tributary.example.com`
 * @param token the key, or what stands for it in the environment
 */
export function writeLines(base: string, token = "$TRIBUTARY_TOKEN") {
  return {
    curl: `curl -H "Authorization: Bearer ${token}" \\
  "${base}/api/v1/catalog/assets?limit=5"`,
    graphql: `curl -H "Authorization: Bearer ${token}" -H "Content-Type: application/json" \\
  -d '{"query": "{ assets(search: \\"orders\\", first: 5) { nodes { fqn type owner } } }"}' \\
  "${base}/graphql"`,
    python: `import json, os, urllib.request

request = urllib.request.Request(
    "${base}/api/v1/catalog/assets?limit=5",
    headers={"Authorization": f"Bearer {os.environ['TRIBUTARY_TOKEN']}"},
)
with urllib.request.urlopen(request) as response:
    for asset in json.load(response)["data"]:
        print(asset["type"], asset["name"])`,
    /** For Claude Code; other agents take the same address and header. */
    mcp: `claude mcp add --transport http --scope user tributary ${base}/mcp \\
  --header "Authorization: Bearer ${token}"`,
    /** How a service account gets a token. */
    oauth: `curl -d grant_type=client_credentials -d client_id="$CLIENT_ID" -d client_secret="$CLIENT_SECRET" \\
  "${base}/oauth/token"`,
  };
}
