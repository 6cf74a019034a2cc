import { keepSession, type SignedInOutcome } from "../../actions/people/sessions.ts"
import { rememberBrowser } from "../../actions/people/sign-in.ts"
import type { Caller } from "../../domain/callers/fair-queue.ts"
import { hashToken } from "../../domain/keys/api-key.ts"
import type { MemberRole, Organization } from "../../domain/people/organization.ts"
import { keptUserAgent } from "../../domain/people/sign-in.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import type { SignedIn } from "../../storage/port/store.ts"
import { metaOf } from "../http/request-meta.ts"
import type { Cookies, Flash } from "./cookies.ts"
import { BROWSER_COOKIE, BROWSER_SECONDS, cookie, cookiesOf, flashOf, PLACE_COOKIE, SESSION_COOKIE } from "./cookies.ts"
import { pageAdminsOnly, pageNotFound } from "./error-pages.tsx"
import { FormRefused } from "./form.ts"
import { type Place, placeOf } from "./frame/place.ts"
import { problem, signInFirst } from "./respond.tsx"
import { keepForm, refererOf, signInAndKeep } from "./sign-in/resume-after-sign-in.tsx"
import type { WebContext } from "./web-context.ts"

/** One request for a page, and everything that is known about it. */
export interface Visit {
  readonly context: WebContext
  readonly request: Request
  readonly url: URL
  readonly params: Readonly<Record<string, string>>
  readonly now: Moment
  /** In which the visitor reads times: that of the organization whose page it is, or else of the visitor's own. */
  readonly zone: TimeZone
  /** Null when not signed in. */
  readonly person: SignedIn | null
  /** Where a signed-in visitor is, for the navigation. */
  readonly place: Place | null
  readonly cookies: Cookies
  /** The hash of the session's token, to end it or to keep it. */
  readonly sessionHash: string | null
  readonly flash: Flash | null
  /** The origin of links to this installation: never one that only the request claims. */
  readonly origin: string
}

export interface PersonVisit extends Visit {
  readonly person: SignedIn
  /** Who makes changes, as recorded in the audit trail. */
  readonly actor: string
}

/** A visit to the pages of an organization, by a member or the operator. */
export type OrganizationVisit = PersonVisit & Readonly<{ organization: Organization; role: MemberRole }>

/** A visit of somebody whom nobody has asked for yet. */
export function unidentifiedVisit(
  context: WebContext,
  request: Request,
  // Nothing where the path has no parameters.
  params: Readonly<Record<string, string>> = {},
): Visit {
  const url = new URL(request.url)
  const now = context.clock()
  const origin = context.linkOrigin(url)
  const cookies = cookiesOf(request, isSecure({ origin }))
  const token = cookies.get(SESSION_COOKIE)
  const sessionHash = token ? hashToken(token) : null
  const stranger = { person: null, place: null, zone: "UTC", flash: flashOf(cookies) }
  return { context, request, url, params, now, cookies, sessionHash, origin, ...stranger }
}

/** The same visit, with the person whose session it is. */
export async function identified(visit: Visit): Promise<Visit> {
  const { context, sessionHash, now, params, cookies, url } = visit
  const person = sessionHash === null ? null : await context.store.sessions.find(sessionHash, now)
  if (sessionHash === null || person === null) return visit
  await keepSession(context, sessionHash, person)
  const { org } = params
  const place = await placeOf(context, person, org, cookies.get(PLACE_COOKIE), now, url.pathname === `/app/o/${org}`)
  const { timeZone: zone } = place.organization ?? { timeZone: "UTC" }
  return { ...visit, person, place, zone }
}

/** Whether the app is reached over TLS, so that cookies can be "Secure". */
export const isSecure = ({ origin }: Pick<Visit, "origin">): boolean => origin.startsWith("https:")

/** A parameter of the path; empty when the path has no such parameter. */
export const param = (visit: Visit, name: string): string => visit.params[name] ?? ""

/** A parameter of the path that is a numeric id; where it is none, one that nothing has. */
export const idParam = (visit: Visit, name: string): number => readId(param(visit, name)) ?? -1

export const readId = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null)

export const isOrganizationVisit = (visit: Visit): visit is OrganizationVisit => "organization" in visit

/** Who asks for something expensive. Callers with the same address share their places, and lose them when they disconnect. */
export function callerOf(visit: Visit): Caller {
  const userAgent = keptUserAgent(visit.request.headers.get("user-agent"))
  return { name: metaOf(visit.request).address, gone: visit.request.signal, userAgent, isKnown: visit.person !== null }
}

/** What a browser gets when somebody signs in: the session, and the mark by which they are not locked out of it. */
export async function signedInCookies(visit: Visit, { token, userId }: SignedInOutcome): Promise<string[]> {
  const secure = isSecure(visit)
  const marks = await rememberBrowser(visit.context, userId, visit.cookies.get(BROWSER_COOKIE) ?? "")
  return [
    cookie(SESSION_COOKIE, token, { secure }),
    cookie(BROWSER_COOKIE, marks, { secure, maxAgeSeconds: BROWSER_SECONDS }),
  ]
}

/**
 * Who may use a route. The guard is part of every route, so none can be without.
 * anyone: also without an account. signed_in: everybody with one. member and admin: of the organization in the path, and the
 * operator. operator: nobody else.
 */
export type Audience = "anyone" | "signed_in" | "member" | "admin" | "operator"
export type Method = "GET" | "POST"
export type Answer = Response | Promise<Response>

export type Route = Readonly<{ method: Method; path: string; who: Audience; answer: (visit: Visit) => Answer }>

/** One of the functions below: what it makes a route of. */
export type Router<V extends Visit> = (method: Method, path: string, answer: (visit: V) => Answer) => Route

// Functions, not arrows: pages that this file needs make routes while it is still loading.

export function forAnyone(method: Method, path: string, answer: (visit: Visit) => Answer): Route {
  return { method, path, who: "anyone", answer }
}

export function forSignedIn(method: Method, path: string, answer: (visit: PersonVisit) => Answer): Route {
  return { method, path, who: "signed_in", answer: (visit) => withPerson(visit, answer) }
}

/** The path has the part `:org`, the organization's slug. */
export function forMember(method: Method, path: string, answer: (visit: OrganizationVisit) => Answer): Route {
  return { method, path, who: "member", answer: (visit) => withOrganization(visit, "member", answer) }
}

/** The path has the part `:org`, the organization's slug. */
export function forAdmin(method: Method, path: string, answer: (visit: OrganizationVisit) => Answer): Route {
  return { method, path, who: "admin", answer: (visit) => withOrganization(visit, "admin", answer) }
}

export function forOperator(method: Method, path: string, answer: (visit: PersonVisit) => Answer): Route {
  const guarded = (visit: PersonVisit) => (visit.person.isOperator ? answer(visit) : pageNotFound(visit))
  return { method, path, who: "operator", answer: (visit) => withPerson(visit, guarded) }
}

/** Answers with what the path names, or with "not found". */
export function withFound<Known extends Visit, Found>(
  find: (visit: Known) => Promise<Found | null | undefined>,
  show: (visit: Known, target: Found) => Answer,
  otherwise: (visit: Known) => Answer = pageNotFound,
) {
  return async (visit: Known): Promise<Response> => {
    const target = await find(visit)
    return target == null ? otherwise(visit) : show(visit, target)
  }
}

function withPerson(visit: Visit, answer: (visit: PersonVisit) => Answer): Answer {
  if (visit.person === null) return askToSignIn(visit)
  return answer({ ...visit, person: visit.person, actor: `user:${visit.person.userId}` })
}

const NOT_KEPT =
  "Your session has ended, and what you sent is too long to keep. Nothing was saved. Sign in, then go back in your browser and send it again."

/** A form that was sent without a session comes back after signing in. */
async function askToSignIn(visit: Visit): Promise<Response> {
  if (visit.request.method === "GET") return signInFirst(visit, visit.url.pathname + visit.url.search)
  const form = await keepForm(visit).catch((cause: unknown) => {
    if (cause instanceof FormRefused && cause.why === "too large") return null
    throw cause
  })
  if (form === null) return signInFirst(visit, refererOf(visit), problem(NOT_KEPT))
  return form.fields.length === 0 ? signInFirst(visit, form.from) : signInAndKeep(visit, form)
}

const withOrganization = (visit: Visit, needed: MemberRole, answer: (visit: OrganizationVisit) => Answer): Answer =>
  withPerson(visit, async (person) => {
    const entered = await enter(person)
    // The same answer for somebody else's organization and for a missing one.
    if (entered === null) return pageNotFound(person)
    if (needed === "admin" && entered.role !== "admin") return pageAdminsOnly(entered)
    return answer(entered)
  })

async function enter(visit: PersonVisit): Promise<OrganizationVisit | null> {
  const slug = param(visit, "org")
  const membership = visit.person.organizations.find((organization) => organization.slug === slug)
  if (visit.person.isOperator) {
    const organization = membership ?? (await visit.context.store.organizations.findBySlug(slug))
    return organization === null ? null : { ...visit, organization, role: "admin" }
  }
  return membership === undefined ? null : { ...visit, organization: membership, role: membership.role }
}
