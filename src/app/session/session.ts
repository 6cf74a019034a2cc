import type { Proof, Unproven } from "../../actions/people/passwords.ts"
import { type Browser, noteSessionUse, type SignInOutcome } from "../../actions/people/sign-in.ts"
import { maskKeys } from "../../domain/api-key.ts"
import type { Errors } from "../../domain/errors.ts"
import { hashToken, SESSION_DAYS } from "../../domain/people/session.ts"
import { scopeOf } from "../../http/request.ts"
import { type SignedIn, sessionByToken } from "../../storage/people/sign-in.ts"
import type { Remarks } from "../forms/form.ts"
import { formatCount } from "../parts/format.tsx"
import type { SignedInVisit, Visit } from "../visit.ts"
import { cookieOf, removeCookie, setCookie, withCookie } from "./cookies.ts"

const SESSION_COOKIE = "adbooth_session"

interface Session {
  readonly user: SignedIn
  /** The hash of its token. Only this is stored, and no page shows it. */
  readonly hash: string
}

/** The session that the browser's cookie names. Null without one, or if it has ended. */
export async function sessionOf(visit: Pick<Visit, "context" | "request" | "url" | "now">): Promise<Session | null> {
  const { context, now } = visit
  const token = cookieOf(visit, SESSION_COOKIE)
  if (token === "") return null
  const hash = hashToken(token)
  const open = await sessionByToken(context.database.read, hash, now)
  if (open === null) return null
  await noteSessionUse(context, hash, open.lastSeenAt)
  return { user: open.user, hash }
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
