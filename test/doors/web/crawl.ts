import { routes } from "../../../src/doors/web/routes.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { givenMarket, givenPerson } from "./given.ts"
import { signedIn, type Visitor } from "./visitor.ts"

export interface CrawledForm {
  readonly action: string
  /** Fields in which somebody can type, and the values of those that are chosen or hidden. */
  readonly typed: readonly string[]
  readonly given: Readonly<Record<string, string>>
  readonly multipart: boolean
}

export interface CrawledPage {
  readonly path: string
  readonly status: number
  readonly headers: Headers
  readonly html: string
  readonly forms: readonly CrawledForm[]
}

const PAGES_MAX = 1_000

interface CrawlOptions {
  /** Told of files too. */
  readonly onAnswer?: (path: string, response: Response, text: string) => void
  /** Whether a link is followed, asked once for each address. */
  readonly isWanted?: (path: string) => boolean
}

const patterns = routes
  .filter(({ method }) => method === "GET")
  .map(({ path }) => ({ path, matches: new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+").replaceAll(".", "\\.")}$`) }))

/** The route of an address. A path without parameters fits a pattern with them too ("new" is no slug): the plain pattern is the one. */
export function kindOf(path: string): string {
  const pathname = path.split("?")[0] ?? ""
  const kind = patterns.find((one) => one.path === pathname) ?? patterns.find(({ matches }) => matches.test(pathname))
  return kind?.path ?? pathname
}

// A kind may lead to others only from some of its pages: an archived line, a key that is not revoked.
const OF_A_KIND_MAX = 4

/** Wants a few pages of each kind: a fifth line of a campaign has nothing new to show. */
export function fewOfEachKind(most = OF_A_KIND_MAX): (path: string) => boolean {
  const followed = new Map<string, number>()
  return (path) => {
    const count = (followed.get(kindOf(path)) ?? 0) + 1
    followed.set(kindOf(path), count)
    return count <= most
  }
}

/** Somebody who may do everything, in an installation where everything has something to show. */
export async function givenOperator(app: TestApp): Promise<Visitor> {
  await givenMarket(app)
  return signedIn(app, await givenPerson(app, { isOperator: true, of: "acme-audio", role: "admin" }))
}

/** Every page that this somebody can reach. */
export function everyPageOf(operator: Visitor): Promise<CrawledPage[]> {
  return crawl(operator, ["/app", "/app/o/acme-audio/campaigns", "/app/operator/system", "/app/account"])
}

let pages: Promise<CrawledPage[]> | undefined

async function readEveryPage(): Promise<CrawledPage[]> {
  await using app = await startApp()
  return await everyPageOf(await givenOperator(app))
}

/** The same, read once for all tests that only look at them. */
export function everyPage(): Promise<CrawledPage[]> {
  pages ??= readEveryPage()
  return pages
}

/** Every page that links lead to from the given ones. */
export async function crawl(
  person: Visitor,
  starts: readonly string[],
  { onAnswer = () => undefined, isWanted = () => true }: CrawlOptions = {},
): Promise<CrawledPage[]> {
  const waiting = [...starts]
  const seen = new Set(starts)
  const pages: CrawledPage[] = []
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const response = await person.get(path)
    const location = response.headers.get("location")
    const html = await response.text()
    onAnswer(path, response, html)
    if (response.headers.get("content-type")?.startsWith("text/html")) {
      pages.push({ path, status: response.status, headers: response.headers, html, forms: await formsOf(html) })
    }
    for (const link of [...(location === null ? [] : [location]), ...(await linksOf(html))]) {
      const { pathname, search, searchParams } = new URL(link, `http://here${path}`)
      const target = pathname + search
      // Lists can be filtered and sorted in every combination; one at a time is enough.
      if (searchParams.size > 1 && seen.has(pathname)) continue
      if (target.startsWith("/app") && !target.startsWith("/app/assets") && !seen.has(target)) {
        seen.add(target)
        if (isWanted(target)) waiting.push(target)
      }
    }
    if (pages.length > PAGES_MAX) throw new Error("the pages never end")
  }
  return pages
}

async function linksOf(html: string): Promise<string[]> {
  const links: string[] = []
  const rewriter = new HTMLRewriter().on("a[href]", {
    element: (element) => void links.push(decoded(element.getAttribute("href") ?? "")),
  })
  await rewriter.transform(new Response(html)).text()
  return links
}

const TYPED = new Set(["text", "email", "password", "search", "date", "number"])

async function formsOf(html: string): Promise<CrawledForm[]> {
  const forms: { action: string; typed: string[]; given: Record<string, string>; multipart: boolean }[] = []
  let select = ""
  const rewriter = new HTMLRewriter()
    .on("form[method=post]", {
      element(element) {
        const multipart = element.getAttribute("enctype") === "multipart/form-data"
        forms.push({ action: decoded(element.getAttribute("action") ?? ""), typed: [], given: {}, multipart })
      },
    })
    .on("form[method=post] input, form[method=post] textarea", {
      element(element) {
        const name = element.getAttribute("name") ?? ""
        const type = element.tagName === "textarea" ? "text" : (element.getAttribute("type") ?? "text")
        if (TYPED.has(type) && !element.hasAttribute("hidden")) forms.at(-1)?.typed.push(name)
        else if (type === "hidden")
          Object.assign(forms.at(-1)?.given ?? {}, { [name]: element.getAttribute("value") ?? "" })
      },
    })
    .on("form[method=post] select", {
      element(element) {
        select = element.getAttribute("name") ?? ""
      },
    })
    .on("form[method=post] option", {
      element(element) {
        const given = forms.at(-1)?.given
        const isChosen = element.hasAttribute("selected") || given?.[select] === undefined
        if (given !== undefined && isChosen) given[select] = decoded(element.getAttribute("value") ?? "")
      },
    })
  await rewriter.transform(new Response(html)).text()
  return forms
}

function decoded(attribute: string): string {
  return attribute.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&")
}
