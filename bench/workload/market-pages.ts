import { routes } from "../../src/doors/web/routes.ts"
import type { Running } from "../harness/process.ts"
import { SELLER } from "./lines.ts"
import { BUSIEST_LINE, BUYER, LARGEST_CAMPAIGN } from "./market.ts"

const CAMPAIGN = `/app/o/${SELLER}/campaigns/${LARGEST_CAMPAIGN}`
// What shows most of its kind comes first: of pages that differ only in what they show, the first is measured.
const STARTS = ["/app", CAMPAIGN, `${CAMPAIGN}/lines/${BUSIEST_LINE}`, `/app/o/${BUYER}/campaigns/${LARGEST_CAMPAIGN}`]

/** Pages and downloads, each kind once, by what is the same in the addresses of its kind. */
export interface MarketPages {
  readonly pages: ReadonlyMap<string, string>
  readonly downloads: ReadonlyMap<string, string>
}

/** Everything that links lead to, so that no page can move away from the bench. */
export async function marketPages(server: Running, cookie: string): Promise<MarketPages> {
  const found = { pages: new Map<string, string>(), downloads: new Map<string, string>() }
  const waiting = [...STARTS]
  const seen = new Set<string>()
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const kind = kindOf(path)
    if (seen.has(kind)) continue
    seen.add(kind)
    const answer = await fetch(`${server.url}${path}`, { headers: { cookie }, redirect: "manual" })
    const text = await answer.text()
    const location = answer.headers.get("location")
    if (location !== null) waiting.push(location)
    if (answer.status !== 200) continue
    const isPage = answer.headers.get("content-type")?.startsWith("text/html") === true
    found[isPage ? "pages" : "downloads"].set(kind, path)
    if (isPage) waiting.push(...linksIn(text, path))
  }
  if (found.pages.size < STARTS.length || found.downloads.size === 0) throw new Error("links lead nowhere")
  return found
}

function linksIn(html: string, path: string): string[] {
  const links = [...html.matchAll(/<a [^>]*href="([^"#]+)/g)].map(([, link = ""]) => link.replaceAll("&amp;", "&"))
  return (
    links
      .map((link) => new URL(link, `http://here${path}`))
      .filter(({ pathname, host }) => host === "here" && pathname.startsWith("/app") && !pathname.includes("/assets/"))
      // Lists can be filtered and sorted in every combination; one at a time is enough.
      .filter(({ pathname, searchParams }) => searchParams.size <= (pathname.endsWith(".csv") ? 0 : 1))
      .map(({ pathname, search }) => pathname + search)
  )
}

const patterns = routes.map(({ path }) => ({ path, pattern: new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`) }))

/** The route, whether it is the buyer's, and the names in the query: what is the same for all pages of a kind. */
function kindOf(address: string): string {
  const { pathname, searchParams } = new URL(address, "http://here")
  const route = patterns.find(({ pattern }) => pattern.test(pathname))?.path ?? pathname
  const names = [...searchParams.keys()].sort().join("&")
  return `${pathname.includes(BUYER) ? "buyer: " : ""}${route}${names === "" ? "" : `?${names}`}`
}
