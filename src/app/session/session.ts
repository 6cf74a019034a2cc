import { type Browser, noteSessionUse } from "../../actions/people/sessions.ts"
import { maskKeys } from "../../domain/keys/api-key.ts"
import { SESSION_DAYS } from "../../domain/people/session.ts"
import { hashToken } from "../../domain/people/token.ts"
import { scopeOf } from "../../http/scope.ts"
import { type SignedIn, sessionByToken } from "../../storage/people/sessions.ts"
import type { Visit } from "../visit.ts"
import { cookieOf, removeCookie, setCookie, withCookie } from "./cookies.ts"

const SESSION_COOKIE = "adbooth_session"

export interface Session {
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
