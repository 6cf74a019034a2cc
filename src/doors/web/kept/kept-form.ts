import { FORM_FIELDS_MAX, KEPT_FORM_BYTES_MAX } from "../../../domain/limits.ts"
import { type Form, readForm } from "../form.ts"
import type { Visit } from "../visit.ts"

/** A form that was sent after the session had ended. It goes through the sign-in page and comes back as it was typed. */
export interface KeptForm {
  /** Where it was sent. */
  readonly action: string
  /** The page that it was on; empty where the browser does not say. */
  readonly from: string
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** Browsers do not let a page fill in a file: it has to be chosen again. */
  readonly hadFile: boolean
}

// What a page never gets back.
const SECRETS = new Set(["password", "current", "wanted", "code", "secret"])

/** Anybody can send a form without a session, so that keeping one must cost little: throws `FormTooLarge` beyond that. */
export async function keepForm(visit: Visit): Promise<KeptForm> {
  const form = await readForm(visit.request, KEPT_FORM_BYTES_MAX)
  const fields = form.entries().filter(([name]) => !SECRETS.has(name))
  return { action: visit.url.pathname, from: refererOf(visit), fields, hadFile: form.hasFile() }
}

/** The page that a form was on, as far as it is one of ours. */
export function refererOf({ request, url }: Visit): string {
  const referer = request.headers.get("referer")
  if (referer === null || !URL.canParse(referer)) return ""
  const { host, pathname, search } = new URL(referer)
  return host === url.host ? ownPage(pathname + search) : ""
}

/** Empty unless it is an address of the app: a link to the sign-in page must not lead anywhere else. */
export function ownPage(address: string): string {
  return /^\/app(?:\/[\w\-./?=&%~!$'()*+,;:@]*)?$/.test(address) && !address.includes("//") ? address : ""
}

export const writeKept = (kept: KeptForm): string => JSON.stringify(kept)

/** Null when the form has none, or one that is not ours. */
export function readKept(form: Form): KeptForm | null {
  const text = form.raw("kept")
  if (text === "") return null
  try {
    const kept = JSON.parse(text) as KeptForm
    const isSound = isTexts(kept.fields)
    return isSound && ownPage(kept.action) !== "" ? { ...kept, from: ownPage(kept.from) } : null
  } catch {
    return null
  }
}

function isTexts(fields: unknown): boolean {
  const isPair = (pair: unknown) => Array.isArray(pair) && pair.every((one) => typeof one === "string")
  return Array.isArray(fields) && fields.length <= FORM_FIELDS_MAX && fields.every(isPair)
}

/** Pages that may have the form, the likeliest first. A page that was itself the answer to a form has no address of its own. */
export function pagesOf({ action, from }: KeptForm): string[] {
  const parent = action.slice(0, action.lastIndexOf("/"))
  return [...new Set([from, action, parent])].filter((page) => page !== "")
}
