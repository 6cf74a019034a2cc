import { goTo, goToWithProblem } from "../flash.ts"
import type { Texts } from "../forms/form.ts"
import type { Visit } from "../visit.ts"
import { readKept } from "./kept-form.ts"
import { cookiesWith, keepSession } from "./session.ts"

/** Signs a person in, and opens the page that they asked for. If they had sent a form, it's shown again first. */
export async function enter(visit: Visit, { next = "", kept: json = "" }: Texts, token: string): Promise<Response> {
  const kept = readKept(json)
  const again = kept === null ? null : await visit.reopen(kept, cookiesWith(visit, token))
  const page = safePath(next)
  const otherwise = () => (kept === null ? goTo(visit, page) : goToWithProblem(visit, page, NOT_SHOWN))
  const response = again?.status === 200 ? again : otherwise()
  keepSession(visit, response, token)
  return response
}

const NOT_SHOWN = "What you typed can’t be shown again. Nothing was saved."

/** Only our own pages, so that a link to the sign-in page can't lead anywhere else. */
export const safePath = (path: string): string => (/^\/app\/[^/\\][^\\]*$/.test(path) ? path : "/app")

/** The page that a form was on, if it was one of ours. */
export function pageBefore({ request, url }: Visit, otherwise: string): string {
  const referer = URL.parse(request.headers.get("referer") ?? "")
  return referer?.host === url.host ? safePath(referer.pathname + referer.search) : otherwise
}
