import type { Context } from "../../actions/context.ts"
import { menuStateOf, seatIn } from "../menu/entries.ts"
import type { Visit } from "../visit.ts"
import { cookieOf, setCookie } from "./cookies.ts"
import { keptFor } from "./kept-form.ts"
import { sessionOf } from "./session.ts"

/** The organization of the page before. */
const PLACE_COOKIE = "adbooth_place"

interface Call {
  readonly context: Context
  readonly request: Request
  readonly params: Visit["params"]
  readonly reopen: Visit["reopen"]
}

/** The visit of a signed-out visitor. It needs no database. */
export const strangersVisit = ({ context, request, params, reopen }: Call): Visit => ({
  ...{ context, request, params, reopen, url: new URL(request.url), now: context.clock(), kept: keptFor(request) },
  ...{ user: null, sessionHash: "", organization: null, role: null, menu: null, timeZone: "UTC" },
})

/** Finds out who visits, and which organization. */
export async function openVisit(opened: Call): Promise<Visit> {
  const call = strangersVisit(opened)
  const session = await sessionOf(call)
  if (session === null) return call
  const { user, hash } = session
  const { context, params } = opened
  const { read } = context.database
  const { org } = params
  const seat = org === undefined ? null : await seatIn(read, user, org)
  const menu = await menuStateOf(context, user, seat, cookieOf(call, PLACE_COOKIE))
  return {
    ...call,
    user,
    sessionHash: hash,
    organization: seat?.organization ?? null,
    role: seat?.role ?? null,
    menu,
    timeZone: menu.organization?.timeZone ?? "UTC",
  }
}

const PLACE_SECONDS = 30 * 86_400

/** Notes the organization of this page for the next one. */
export function rememberPlace(visit: Visit, response: Response): void {
  const { organization } = visit
  if (organization === null || cookieOf(visit, PLACE_COOKIE) === organization.slug) return
  setCookie(visit, response, PLACE_COOKIE, organization.slug, PLACE_SECONDS)
}
