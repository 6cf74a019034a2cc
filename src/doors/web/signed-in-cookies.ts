import { rememberBrowser } from "../../actions/people/remember-browser.ts"
import type { SignedInOutcome } from "../../actions/people/sessions.ts"
import { BROWSER_COOKIE, browserCookie, sessionCookie } from "./cookies.ts"
import { isSecure, type Visit } from "./visit.ts"

/** What a browser gets when somebody signs in: the session, and the mark by which they are not locked out of it. */
export async function signedInCookies(visit: Visit, { token, userId }: SignedInOutcome): Promise<string[]> {
  const secure = isSecure(visit)
  const marks = await rememberBrowser(visit.context, userId, visit.cookies.get(BROWSER_COOKIE) ?? "")
  return [sessionCookie(token, secure), browserCookie(marks, secure)]
}
