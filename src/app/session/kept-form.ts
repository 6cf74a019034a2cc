import { type Static, Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { Refused } from "../../http/problem.ts"
import { BeganSchema, isSecretField, readForm } from "../forms/form.ts"
import type { Visit } from "../visit.ts"

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

/** Unpacks a kept form. Null if the text isn't one. */
export function readKept(json: string): KeptForm | null {
  try {
    const kept: unknown = JSON.parse(json)
    return Value.Check(KeptSchema, kept) ? kept : null
  } catch {
    return null
  }
}

const keptForms = new WeakMap<Request, KeptForm>()

/** A request for the page of a kept form, from the browser that has just signed in. Nothing is saved by looking at it. */
export function requestFor(kept: KeptForm, cookie: string, from: Request): Request {
  const headers = new Headers(from.headers)
  for (const name of ["content-type", "content-length"]) headers.delete(name)
  headers.set("cookie", cookie)
  const request = new Request(new URL(kept.path, from.url), { headers })
  keptForms.set(request, kept)
  return request
}

export const keptFor = (request: Request): KeptForm | null => keptForms.get(request) ?? null
