import { signOut } from "../../../actions/people/sessions.ts"
import { goTo } from "../../flash.ts"
import { forgetSession } from "../../session/session.ts"
import type { Visit } from "../../visit.ts"

/** Ends the session of this browser. */
export async function signOutHere(visit: Visit): Promise<Response> {
  if (visit.user !== null) await signOut(visit.context, visit.sessionHash)
  const response = goTo(visit, "/app/sign-in", "You’re signed out.")
  forgetSession(visit, response)
  // The browser may have kept pages with forms.
  response.headers.set("Clear-Site-Data", '"cache"')
  return response
}
