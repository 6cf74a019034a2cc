import { Elysia } from "elysia"
import type { JSX } from "preact"
import { renderToString } from "preact-render-to-string"
import { pageResponse } from "../../http/compressed.ts"
import { themeOf } from "../cookies.ts"
import { PAGE_HEADERS } from "../respond.ts"
import { REFERENCE } from "./files.ts"
import { type Addresses, escapedAddresses, fillAddresses, findGuide } from "./library.ts"
import { GuidePage, IndexPage, NotFoundPage, SearchPage } from "./pages.tsx"
import { type ApiDocument, ReferencePage } from "./reference.tsx"
import { QUERY_CHARACTERS_MAX, searchGuides, searchIndex } from "./search-guides.ts"

/** The guides and the API reference at /docs. They need neither a session nor the database. */
export function guideRoutes(
  addressesAt: (url: URL) => Addresses,
  describeApi: (serverUrl: string) => Promise<ApiDocument>,
) {
  /** A page that has marks for the addresses: these differ by request. */
  function page(request: Request, content: JSX.Element): Response {
    void searchIndex()
    return cached(request, fillAddresses(htmlOf(content), escapedAddresses(addressesAt(new URL(request.url)))))
  }

  return new Elysia()
    .get("/docs", ({ request }) => page(request, <IndexPage theme={themeOf(request)} />))
    .get(REFERENCE.href, async ({ request }) => {
      const api = await describeApi(addressesAt(new URL(request.url)).origin)
      return cached(request, htmlOf(<ReferencePage api={api} theme={themeOf(request)} />))
    })
    .get("/docs/search", ({ request }) => search(request, addressesAt))
    .get("/docs/:guide", ({ request, params }) => {
      const guide = findGuide(params.guide)
      const theme = themeOf(request)
      if (guide !== null) return page(request, <GuidePage guide={guide} theme={theme} />)
      return response(request, htmlOf(<NotFoundPage theme={theme} />), { status: 404 })
    })
}

async function search(request: Request, addressesAt: (url: URL) => Addresses): Promise<Response> {
  const url = new URL(request.url)
  const query = (url.searchParams.get("q") ?? "").slice(0, QUERY_CHARACTERS_MAX).trim()
  const sections = await searchGuides(query, addressesAt(url))
  return response(request, htmlOf(<SearchPage query={query} sections={sections} theme={themeOf(request)} />))
}

const htmlOf = (page: JSX.Element) => `<!doctype html>${renderToString(page)}`

function response(
  request: Request,
  html: string,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Response {
  return pageResponse(request, html, { status, headers: { ...PAGE_HEADERS, ...headers } })
}

/** Browsers keep the page and ask whether it is still the same. It may show a theme and an address, so nobody shares it. */
function cached(request: Request, html: string): Response {
  // Weak, because it is the same however the page is compressed.
  const etag = `W/"${Bun.hash(html).toString(36)}"`
  const headers = { "Cache-Control": "private, no-cache", ETag: etag, Vary: "Cookie" }
  if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers })
  return response(request, html, { headers })
}
