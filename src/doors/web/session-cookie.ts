import { SESSION_DAYS } from "../../domain/people/user.ts"
import { cookie, SESSION_COOKIE } from "./cookies.ts"
import { isSecure } from "./respond.ts"
import type { Visit } from "./visit.ts"

export function sessionCookie(visit: Visit, token: string): string {
  return cookie(SESSION_COOKIE, token, { secure: isSecure(visit), maxAgeSeconds: SESSION_DAYS * 86_400 })
}
