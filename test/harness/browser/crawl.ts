import { ROUTES } from "../../../src/app/routes.ts"
import type { Browse } from "./browse.ts"

/** The addresses of all pages, as patterns: "/app/o/:org/campaigns/:campaign". Files aren't pages. */
export const PAGES: readonly string[] = ROUTES.flatMap(([method, path]) =>
  method === "GET" && !isFile(path) ? [path] : [],
)

function isFile(path: string): boolean {
  return /\.csv$|\/logo$|\/template\//.test(path)
}

/** The page that an address leads to. Undefined if it's none. */
export function kindOf(address: string): string | undefined {
  const path = address.replace(/[?#].*/, "")
  if (isFile(path)) return undefined
  // An address without a placeholder takes precedence: "…/affiliates/new" isn't a code.
  const fitting = PAGES.filter((page) => new RegExp(`^${page.replace(/:\w+/g, "[^/]+")}$`).test(path))
  return fitting.toSorted((a, b) => a.split(":").length - b.split(":").length)[0]
}

/** Follows links from these addresses, and returns the first address of each kind of page. */
export async function crawl(open: Browse, starts: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const waiting = [...starts]
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    const kind = kindOf(address)
    if (kind === undefined || found.has(kind)) continue
    const { html, status } = await open(address)
    if (status !== 200) throw new Error(`${address} answers ${status}.`)
    found.set(kind, address)
    waiting.push(...linksIn(html))
  }
  return found
}

const linksIn = (html: string): string[] =>
  [...html.matchAll(/href="(\/(?:app|docs)[^"]*)"/g)].map(([, address = ""]) => address.replaceAll("&amp;", "&"))
