import { keepSession } from "../../actions/people/sessions.ts"
import { PLACE_COOKIE } from "./cookies.ts"
import { placeOf } from "./frame/find-place.ts"
import type { Visit } from "./visit.ts"

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
