import type { Context } from "../../actions/context.ts"
import type { Proof, Unproven } from "../../actions/people/passwords.ts"
import { type Browser, noteSessionUse, type SignInOutcome } from "../../actions/people/sign-in.ts"
import { maskKeys } from "../../domain/api-key.ts"
import type { Errors } from "../../domain/errors.ts"
import { hashToken, SESSION_DAYS } from "../../domain/people/session.ts"
import { scopeOf } from "../../http/request.ts"
import type { ReadTx } from "../../storage/database.ts"
import { organizationBySlug } from "../../storage/organizations.ts"
import { type SignedIn, sessionByToken } from "../../storage/people/sign-in.ts"
import type { Seat } from "../../storage/people/users.ts"
import type { Remarks } from "../forms/form.ts"
import { menuOf } from "../menu/entries.ts"
import { formatCount } from "../parts/format.tsx"
import type { SignedInVisit, Visit } from "../visit.ts"
import { cookieOf, removeCookie, setCookie, withCookie } from "./cookies.ts"

const SESSION_COOKIE = "adbooth_session"

/** The organization of the page before. */
const PLACE_COOKIE = "adbooth_place"
const PLACE_SECONDS = 30 * 86_400

interface Call extends Pick<Visit, "request" | "params" | "kept" | "reopen"> {
  readonly context: Context
}

/** The visit of a signed-out visitor. It needs no database. */
export const strangersVisit = (call: Call): Visit => ({
  ...{ ...call, read: call.context.database.read, url: new URL(call.request.url), now: call.context.clock() },
  ...{ user: null, sessionHash: "", organization: null, role: null, menu: null, timeZone: "UTC" },
})

/** Finds out who visits, and which organization. */
export async function openVisit(call: Call): Promise<Visit> {
  const visit = strangersVisit(call)
  const { context, read, params, now } = visit
  const token = cookieOf(visit, SESSION_COOKIE)
  if (token === "") return visit
  const hash = hashToken(token)
  const session = await sessionByToken(read, hash, now)
  if (session === null) return visit
  const { user, lastSeenAt } = session
  await noteSessionUse(context, hash, lastSeenAt)
  const { org } = params
  const seat = org === undefined ? null : await seatIn(read, user, org)
  const menu = await menuOf(context, user, seat, cookieOf(visit, PLACE_COOKIE))
  const timeZone = menu.organization?.timeZone ?? "UTC"
  const { organization, role } = seat ?? { organization: null, role: null }
  return { ...visit, user, sessionHash: hash, organization, role, menu, timeZone }
}

/** The person's place in an organization. The operator is an admin of each. */
async function seatIn(read: ReadTx, user: SignedIn, slug: string): Promise<Seat | null> {
  const seat = user.seats.find(({ organization }) => organization.slug === slug) ?? null
  if (!user.isOperator) return seat
  const organization = seat?.organization ?? (await organizationBySlug(read, slug))
  return organization === null ? null : { organization, role: "admin" }
}

/** Notes the organization of this page for the next one. */
export function rememberPlace(visit: Visit, response: Response): void {
  const { organization } = visit
  if (organization === null || cookieOf(visit, PLACE_COOKIE) === organization.slug) return
  setCookie(visit, response, PLACE_COOKIE, organization.slug, PLACE_SECONDS)
}

const USER_AGENT_CHARACTERS_MAX = 300

/** The browser of a visit, for the list of sessions. Its name may be any text. */
export function browserOf({ request, sessionHash }: Visit): Browser {
  const header = request.headers.get("user-agent") ?? ""
  const userAgent = maskKeys(header)
    .replace(/\p{Cc}/gu, "")
    .slice(0, USER_AGENT_CHARACTERS_MAX)
  return { userAgent, address: scopeOf(request).address, previousHash: sessionHash === "" ? null : sessionHash }
}

/** The cookies that the browser of this visit will have with a new session. */
export const cookiesWith = (visit: Visit, token: string): string => withCookie(visit, SESSION_COOKIE, token)

export const keepSession = (visit: Visit, response: Response, token: string): void =>
  setCookie(visit, response, SESSION_COOKIE, token, SESSION_DAYS * 86_400)

export const forgetSession = (visit: Visit, response: Response): void => removeCookie(visit, response, SESSION_COOKIE)

/** Shown while too many passwords are being checked. */
export const BUSY: Remarks = {
  status: 503,
  errors: { "": "Many people are signing in right now. Try again in a few seconds." },
}

export const waitFirst = (seconds: number, field = ""): Remarks => ({
  status: 429,
  errors: { [field]: `Too many wrong attempts. Wait ${formatCount(seconds, "second")}, then try again.` },
})

type Refusal = Exclude<SignInOutcome, { outcome: "signed in" | "code needed" }>

/** Why the sign-in failed, as remarks about the form. */
export function refusal(outcome: Refusal, wrong: Errors): Remarks {
  if (outcome.outcome === "wait") return waitFirst(outcome.seconds)
  return outcome.outcome === "busy" ? BUSY : { errors: wrong }
}

/** The password that was typed again, before anything that a stolen session must not do. */
export const proofOf = ({ user, request }: SignedInVisit, password: string): Proof => ({
  userId: user.id,
  password,
  address: scopeOf(request).address,
})

/** Why the password in this field isn't accepted. */
export function unproven(why: Unproven, field = "password"): Remarks {
  if (why === "busy") return BUSY
  return why === "wrong" ? { errors: { [field]: "This password is wrong." } } : waitFirst(why.waitSeconds, field)
}
