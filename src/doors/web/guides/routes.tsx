import { Elysia } from "elysia"
import type { JSX } from "preact"
import { renderToString } from "preact-render-to-string"
import { memoize } from "../../../domain/memoize.ts"
import { fileResponder, pageResponse } from "../../http/compressed.ts"
import { type Theme, themeOf } from "../cookies.ts"
import { PAGE_HEADERS } from "../respond.ts"
import { REFERENCE } from "./files.ts"
import { type Addresses, escapedAddresses, fillAddresses, findGuide, SLUGS } from "./library.ts"
import { GuidePage, IndexPage, NotFoundPage, SearchPage } from "./pages.tsx"
import { type ApiDocument, ReferencePage } from "./reference.tsx"
import { QUERY_CHARACTERS_MAX, searchGuides, searchIndex } from "./search-guides.ts"

const INDEX = "/docs"
// Every guide in each theme, at a few addresses: the address of a request is anything that is ours.
const PAGES_KEPT = 100

/** What a finished page is made of. A page without a guide is "not found". */
type Asked = readonly [guide: string | null, theme: Theme, addresses: Addresses]

/** The guides and the API reference at /docs. They need neither a session nor the database. */
export function guideRoutes(
  addressesAt: (url: URL) => Addresses,
  describeApi: (serverUrl: string) => Promise<ApiDocument>,
) {
  /** Pages that are asked for again are kept as they are sent: to make and compress one takes milliseconds. */
  const finished = memoize(PAGES_KEPT, async (key: string) => {
    const [guide, theme, addresses] = JSON.parse(key) as Asked
    const content = await contentOf(guide, theme, addresses.origin)
    return responder(fillAddresses(htmlOf(content), escapedAddresses(addresses)), guide === null ? 404 : 200)
  })

  async function contentOf(path: string | null, theme: Theme, origin: string): Promise<JSX.Element> {
    if (path === INDEX) return <IndexPage theme={theme} />
    if (path === REFERENCE.href) return <ReferencePage api={await describeApi(origin)} theme={theme} />
    const guide = findGuide(path ?? "")
    return guide === null ? <NotFoundPage theme={theme} /> : <GuidePage guide={guide} theme={theme} />
  }

  async function page(request: Request, path: string | null): Promise<Response> {
    void searchIndex()
    const asked: Asked = [path, themeOf(request), addressesAt(new URL(request.url))]
    return (await finished(JSON.stringify(asked)))(request)
  }

  return new Elysia()
    .get(INDEX, ({ request }) => page(request, INDEX))
    .get(REFERENCE.href, ({ request }) => page(request, REFERENCE.href))
    .get("/docs/search", ({ request }) => search(request, addressesAt))
    .get("/docs/:guide", ({ request, params: { guide } }) => page(request, SLUGS.includes(guide) ? guide : null))
}

async function search(request: Request, addressesAt: (url: URL) => Addresses): Promise<Response> {
  const url = new URL(request.url)
  const query = (url.searchParams.get("q") ?? "").slice(0, QUERY_CHARACTERS_MAX).trim()
  const sections = await searchGuides(query, addressesAt(url))
  const html = htmlOf(<SearchPage query={query} sections={sections} theme={themeOf(request)} />)
  return pageResponse(request, html, { headers: PAGE_HEADERS })
}

const htmlOf = (page: JSX.Element) => `<!doctype html>${renderToString(page)}`

/**
 * Browsers keep a guide and ask whether it is still the same. It may show a theme and an address, so nobody shares it. The headers of "it
 * is" replace those of the kept page: without its content policy it would lose its style.
 */
function responder(html: string, status: number): (request: Request) => Response {
  if (status !== 200) return fileResponder(html, { status, headers: PAGE_HEADERS })
  // Weak, because it is the same however the page is compressed.
  const etag = `W/"${Bun.hash(html).toString(36)}"`
  const headers = { ...PAGE_HEADERS, "Cache-Control": "private, no-cache", ETag: etag, Vary: "Cookie" }
  const respond = fileResponder(html, { headers })
  return (request) =>
    request.headers.get("if-none-match") === etag ? new Response(null, { status: 304, headers }) : respond(request)
}
