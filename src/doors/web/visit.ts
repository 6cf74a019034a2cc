import type { SignedInOutcome } from "../../actions/people/sessions.ts"
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
import { BROWSER_COOKIE, BROWSER_SECONDS, cookie, cookiesOf, flashOf, SESSION_COOKIE } from "./cookies.ts"
import type { VisitorPlace } from "./frame/place.ts"
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
  readonly place: VisitorPlace | null
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

/** A visit before its session was looked up. */
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
