import { Elysia } from "elysia"
// The whole viewer in one file, embedded in the executable: nothing is loaded from elsewhere.
import viewer from "../../../node_modules/@scalar/api-reference/dist/browser/standalone.js" with { type: "file" }

// This page needs scripts and styles. Nothing may be loaded from or sent to another origin.
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
  "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Adbooth API reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<p style="padding:12px 16px 0;font:14px system-ui"><a style="color:#767676" href="/docs">All guides</a></p>
<noscript>This page needs JavaScript. The same API description is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<div id="reference"></div>
<script src="/docs/viewer.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

const START = `Scalar.createApiReference("#reference", {
  url: "/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
})
`

const GZIP_MAGIC = "1f8b"

const script = (body: BodyInit) =>
  new Response(body, { headers: { "Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "max-age=3600" } })

/** The API reference at /docs/api and its source at /openapi.json. Both work without internet access. */
export function docsPage(document: (request: Request) => Promise<object>) {
  return new Elysia()
    .get("/openapi.json", async ({ request }) => Response.json(await document(request)))
    .get(
      "/docs/api",
      () =>
        new Response(PAGE, {
          headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": PAGE_POLICY },
        }),
    )
    .get("/docs/start.js", () => script(START))
    .get("/docs/viewer.js", ({ request }) => viewerScript(request))
}

/** Compressed in the executable, which most browsers accept as it is; plain when run from source. */
async function viewerScript(request: Request): Promise<Response> {
  const file = Bun.file(viewer)
  const isCompressed = (await file.slice(0, 2).bytes()).toHex() === GZIP_MAGIC
  if (!isCompressed) return script(file)
  if (!/\bgzip\b/.test(request.headers.get("accept-encoding") ?? "")) return script(Bun.gunzipSync(await file.bytes()))
  const response = script(file)
  response.headers.set("Content-Encoding", "gzip")
  return response
}
