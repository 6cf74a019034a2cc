import { Elysia } from "elysia"
import { knownBrowser } from "../../actions/people/sign-in.ts"
import { StoreUnavailable } from "../../storage/port/unavailable.ts"
import { disconnected } from "../http/problem.ts"
import { metaOf } from "../http/request-meta.ts"
import { asset } from "./assets.ts"
import { BROWSER_COOKIE, cookie, PLACE_COOKIE } from "./cookies.ts"
import { pageNotFound, pageRefused, pageServerError } from "./error-pages.tsx"
import { FormRefused } from "./form.ts"
import { canSwitch } from "./frame/menus.tsx"
import type { PageAnswer, Route } from "./guards.ts"
import { identified } from "./identify.ts"
import { frontPage } from "./outside/front-page.tsx"
import { sellersLogo } from "./outside/seller-logo.ts"
import { LOGO_PATH } from "./outside/seller-with-logo.ts"
import { routes } from "./routes.ts"
import { isSecure, unidentifiedVisit, type Visit } from "./visit.ts"
import type { WebContext } from "./web-context.ts"

// Pages read their own bodies: forms and files have different size limits.
const UNPARSED = { parse: "none" } as const

/** The app for people, at /app. */
export function webDoor(parts: Omit<WebContext, "open">) {
  const context: WebContext = { ...parts, open: async (request) => door.handle(request) }
  const door = new Elysia().get("/app/assets/:name", ({ request, params: { name } }) => asset(name, request))
  for (const route of routes) {
    const { method, path } = route
    door.route(method, path, ({ request, params }) => answer(context, route, request, readable(params)), UNPARSED)
  }
  return door
    .get(LOGO_PATH, ({ request }) => answer(context, { answer: sellersLogo }, request, {}))
    .get("/", ({ request }) => answer(context, { answer: frontPage }, request, {}))
    .all("/*", ({ request }) => answer(context, { answer: pageNotFound }, request, {}), UNPARSED)
}

/** Elysia has null where it cannot decode a part of the path, such as "%zz": that names nothing. */
const readable = (params: Readonly<Record<string, string | null>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value ?? ""]))

async function answer(
  context: WebContext,
  route: Pick<Route, "answer">,
  request: Request,
  params: Readonly<Record<string, string>>,
): Promise<Response> {
  const meta = metaOf(request)
  const unidentified = unidentifiedVisit(context, request, params)
  return orErrorPage(unidentified, async () => {
    const isOurs = isSameOrigin(request, context.config.publicUrl)
    // What another site sends is refused before its cookies mean anything.
    const visit = isOurs ? await identified(unidentified) : unidentified
    const knownAs = await nameOf(visit)
    const hasRoom = meta.countFor(knownAs)
    // A form in chunks is refused where a stranger sends it: at once, since in a turn the runtime would receive as many again.
    const isRefused = meta.length === Number.POSITIVE_INFINITY && knownAs === null && !SAFE.has(request.method)
    if (!isRefused) await meta.turn()
    if (request.signal.aborted) return disconnected()
    if (!isOurs) return pageRefused(visit, "cross-origin")
    if (!hasRoom) return pageRefused(visit, "busy")
    return rememberPlace(visit, forTheBackButton(request, await orErrorPage(visit, () => route.answer(visit))))
  })
}

/** The session, or the browser in which somebody has signed in before: strangers who flood the form do not keep them out. */
async function nameOf({ context, person, sessionHash, cookies }: Visit): Promise<string | null> {
  if (person !== null) return `session ${sessionHash}`
  const browser = await knownBrowser(context, cookies.get(BROWSER_COOKIE) ?? "")
  return browser === null ? null : `browser ${browser}`
}

/**
 * A form with errors, or a question, is the answer to a POST. The browser may keep it, because it cannot ask for it again: "back"
 * would lose what was typed. Signing out removes what it kept.
 */
function forTheBackButton({ method }: Request, response: Response): Response {
  if (method === "POST" && response.headers.get("content-type")?.startsWith("text/html"))
    response.headers.set("Cache-Control", "private, no-cache")
  return response
}

/** A visitor with several organizations keeps the menu of the last one on pages that belong to none. */
function rememberPlace({ place, params, cookies, origin }: Visit, response: Response): Response {
  const slug = place?.organization?.slug
  const isNews = slug !== undefined && slug === params["org"] && slug !== cookies.get(PLACE_COOKIE)
  if (place !== null && canSwitch(place) && isNews)
    response.headers.append("Set-Cookie", cookie(PLACE_COOKIE, slug, { secure: isSecure({ origin }) }))
  return response
}

async function orErrorPage(visit: Visit, respond: () => PageAnswer): Promise<Response> {
  try {
    return await respond()
  } catch (cause) {
    if (cause instanceof FormRefused) return pageRefused(visit, cause.why, cause.first)
    const { id } = metaOf(visit.request)
    visit.context.log.error("page failed", cause, { request: id })
    if (cause instanceof StoreUnavailable) return pageRefused(visit, "unavailable")
    return pageServerError(visit, id)
  }
}

const SAFE = new Set(["GET", "HEAD"])

/**
 * Whether a request may change something: it must come from one of our own pages. Browsers say where a request comes from in
 * Sec-Fetch-Site and Origin; a request with neither is not from a browser with a session.
 */
function isSameOrigin(request: Request, publicUrl: string | null): boolean {
  if (SAFE.has(request.method)) return true
  const site = request.headers.get("sec-fetch-site")
  const origin = request.headers.get("origin")
  if (site !== null && site !== "same-origin") return false
  if (origin === null) return site === "same-origin"
  return origin === publicUrl || isOwnHost(origin, request.headers.get("host"))
}

/** A proxy may terminate TLS, so the scheme is not compared. */
const isOwnHost = (origin: string, host: string | null): boolean =>
  host !== null && (origin === `http://${host}` || origin === `https://${host}`)
