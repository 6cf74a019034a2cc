import { type Static, Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { Refused } from "../../http/problem.ts"
import { goTo, goToWithProblem } from "../flash.ts"
import { BeganSchema, isSecretField, readForm, type Texts } from "../forms/form.ts"
import type { Visit } from "../visit.ts"
import { cookiesWith, keepSession } from "./session.ts"

const KeptSchema = Type.Object({
  /** The page of the form. The pattern only allows our own pages. */
  path: Type.String({ pattern: "^/app(/[^/\\\\][^\\\\]*)?$" }),
  texts: Type.Record(Type.String(), Type.String()),
  began: Type.Optional(BeganSchema),
})

/** A form that was sent after the session had expired. It has neither files nor secrets. */
export type KeptForm = Static<typeof KeptSchema>

const KEPT_BYTES_MAX = 65_536

/** Packs the form of a request for the sign-in page. Empty if it's too long to keep. */
export async function keepForm({ request, url }: Visit): Promise<string> {
  try {
    const { texts, began } = await readForm(request, KEPT_BYTES_MAX)
    const kept = Object.fromEntries(Object.entries(texts).filter(([name]) => !isSecretField(name)))
    const json = JSON.stringify({ path: url.pathname + url.search, texts: kept, began })
    return Buffer.byteLength(json) <= KEPT_BYTES_MAX ? json : ""
  } catch (cause) {
    if (cause instanceof Refused) return ""
    throw cause
  }
}

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

/** Unpacks a kept form. Null if the text isn't one. */
function readKept(json: string): KeptForm | null {
  try {
    const kept: unknown = JSON.parse(json)
    return Value.Check(KeptSchema, kept) ? kept : null
  } catch {
    return null
  }
}

/** Only our own pages, so that a link to the sign-in page can't lead anywhere else. */
export const safePath = (path: string): string => (/^\/app\/[^/\\][^\\]*$/.test(path) ? path : "/app")

/** The page that a form was on, if it was one of ours. */
export function pageBefore({ request, url }: Visit, otherwise: string): string {
  const referer = URL.parse(request.headers.get("referer") ?? "")
  return referer?.host === url.host ? safePath(referer.pathname + referer.search) : otherwise
}
