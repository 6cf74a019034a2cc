import { failure, methodNotAllowed } from "../../domain/failure.ts"
import { problem } from "../http/problem.ts"

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Adbooth sales agent</title>
<h1>This is a sales agent</h1>
<p>Buyers' agents talk to this address with the POST method (MCP, AdCP 3.1). There is nothing to see here for a browser.</p>
<ul>
<li><a href="/app">Sign in to the app</a></li>
<li><a href="/docs">Read the guides and the API reference</a></li>
</ul>
</html>
`

/** Only POST is allowed. Browsers get a page with links. */
export function wrongMethod(request: Request): Response {
  const { headers, status } = methodNotAllowed("POST")
  if (!(request.headers.get("accept") ?? "").includes("text/html")) {
    return problem(failure("method_not_allowed", "This address only accepts POST.", headers), request)
  }
  return new Response(PAGE, { status, headers: { ...headers, "Content-Type": "text/html; charset=utf-8" } })
}
