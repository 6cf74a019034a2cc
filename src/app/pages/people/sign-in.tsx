import { goTo } from "../../flash.ts"
import type { Visit } from "../../visit.ts"

/** Asks a stranger to sign in, and comes back to the page afterwards. */
export function askToSignIn(visit: Visit): Response {
  const next = visit.url.pathname + visit.url.search
  return goTo(visit, next === "/app" ? "/app/sign-in" : `/app/sign-in?next=${encodeURIComponent(next)}`)
}
