import { noteSessionUse } from "../../actions/people/sessions.ts"
import { SESSION_DAYS } from "../../domain/people/session.ts"
import { hashToken } from "../../domain/people/token.ts"
import { type SignedIn, sessionByToken } from "../../storage/sessions.ts"
import type { Visit } from "../visit.ts"
import { cookieOf, removeCookie, setCookie } from "./cookies.ts"

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

export const keepSession = (visit: Visit, response: Response, token: string): void =>
  setCookie(visit, response, SESSION_COOKIE, token, SESSION_DAYS * 86_400)

export const forgetSession = (visit: Visit, response: Response): void => removeCookie(visit, response, SESSION_COOKIE)
