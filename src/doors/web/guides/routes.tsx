import { Elysia } from "elysia"
import type { JSX } from "preact"
import { renderToString } from "preact-render-to-string"
import { memoize } from "../../../domain/memoize.ts"
import { fileResponder } from "../../http/compressed.ts"
import { type Theme, themeOf } from "../cookies.ts"
import { PAGE_HEADERS } from "../respond.tsx"
import { REFERENCE } from "./files.ts"
import { type Addresses, findGuide, SLUGS } from "./library.ts"
import { GuidePage, IndexPage } from "./pages.tsx"
import { type ApiDocument, ReferencePage } from "./reference.tsx"

const INDEX = "/docs"
// Every guide in each theme, at a few addresses: the address of a request is anything that is ours.
const PAGES_KEPT = 100

/** What a finished page is made of. */
type GuideRequest = readonly [path: string, theme: Theme, addresses: Addresses]

/** The guides and the API reference at /docs. They need neither a session nor the database. */
export function guideRoutes(
  addressesAt: (url: URL) => Addresses,
  describeApi: (serverUrl: string) => Promise<ApiDocument>,
) {
  /** Pages that are asked for again are kept as they are sent: to make and compress one takes milliseconds. */
  const finished = memoize(PAGES_KEPT, async (key: string) => {
    const [path, theme, addresses] = JSON.parse(key) as GuideRequest
    return fileResponder(htmlOf(await contentOf(path, theme, addresses)), { headers: PAGE_HEADERS })
  })

  async function contentOf(path: string, theme: Theme, addresses: Addresses): Promise<JSX.Element> {
    if (path === REFERENCE.href) return <ReferencePage api={await describeApi(addresses.origin)} theme={theme} />
    const guide = findGuide(path.slice(INDEX.length + 1), addresses)
    return guide === null ? <IndexPage theme={theme} /> : <GuidePage guide={guide} theme={theme} />
  }

  async function page(path: string, request: Request): Promise<Response> {
    const asked: GuideRequest = [path, themeOf(request), addressesAt(new URL(request.url))]
    return (await finished(JSON.stringify(asked)))(request)
  }

  const door = new Elysia()
  for (const path of [INDEX, REFERENCE.href, ...SLUGS.map((slug) => `${INDEX}/${slug}`)])
    door.get(path, ({ request }) => page(path, request))
  return door
}

const htmlOf = (page: JSX.Element) => `<!doctype html>${renderToString(page)}`
