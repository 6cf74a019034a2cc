import { type ComponentChildren, h } from "preact"
import { renderToString } from "preact-render-to-string"
import { HASHES_RETRY_AFTER_SECONDS } from "../../domain/limits.ts"
import type { Logo } from "../../domain/people/logo.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import { pageResponse } from "../http/compressed.ts"
import { CHARTS_SCRIPT } from "./assets.ts"
import { FLASH_COOKIE, type Flash, flashCookie, noCookie } from "./cookies.ts"
import type { Errors } from "./form.ts"
import { Layout, type PageShape } from "./frame/layout.tsx"
import { entryOf } from "./frame/navigation.ts"
import { ErrorSummary, PageErrors, PageErrorsContext } from "./parts/form/frame.tsx"
import { ClockContext, formatCount, type PageClock, ZoneNote } from "./parts/format.tsx"
import { isSecure, type Visit } from "./visit.ts"

// Nothing from other origins and nothing inline: an injected script does not run.
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": PAGE_POLICY,
  // Without a referrer browsers would send "Origin: null" with our own forms, which would look like a cross-site request.
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
}

export interface Page {
  readonly title: string
  readonly body: ComponentChildren
  /** The entry of the menu that this page belongs to, where its own address does not say it. */
  readonly active?: string | undefined
  /** Left out, it depends on whether somebody is signed in. */
  readonly shape?: PageShape
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** The zone of its times, where it is not that of the visitor. */
  readonly zone?: TimeZone | undefined
  /** Something shown is still under way: the page follows it. */
  readonly isBusy?: boolean
}

/** A whole page. With errors in a form its status is 422 unless another is given. */
export function page(
  visit: Visit,
  { title, body, active, shape, status, headers = {}, zone = visit.zone, isBusy = false }: Page,
): Response {
  const errors = new PageErrors()
  const clock: PageClock = { zone, now: visit.now, isRead: false }
  const layout = h(Layout, { visit, title, active: active ?? entryOf(visit.url), shape, isBusy, children: body })
  const timed = h(ClockContext.Provider, { value: clock, children: layout })
  const html = renderToString(h(PageErrorsContext.Provider, { value: errors, children: timed }))
  const whole = `<!doctype html>${withErrors(withZone(withCharts(html), clock), errors, visit)}`
  const response = pageResponse(visit.request, whole, {
    status: status ?? (errors.isEmpty ? 200 : 422),
    headers: { ...PAGE_HEADERS, ...headers },
  })
  if (visit.flash !== null) response.headers.append("Set-Cookie", noCookie(FLASH_COOKIE, isSecure(visit)))
  return response
}

const MAIN = '<main id="main" tabindex="-1">'

/** Adds the error summary at the top of the page, and "Error:" to its title. */
function withErrors(html: string, errors: PageErrors, { person, request }: Visit): string {
  if (errors.isEmpty) return html
  const summary = renderToString(h(ErrorSummary, { errors, isSaving: person !== null && request.method === "POST" }))
  return html.replace("<title>", "<title>Error: ").replace(MAIN, () => MAIN + summary)
}

/** Names the zone of the times of a page, after everything else. */
const withZone = (html: string, { isRead, zone }: PageClock): string =>
  isRead ? html.replace("</main>", `${renderToString(h(ZoneNote, { zone }))}</main>`) : html

function withCharts(html: string): string {
  const script = `<script src="${CHARTS_SCRIPT.path}" defer></script>`
  return html.includes(" data-tips=") ? html.replace("</body></html>", `${script}</body></html>`) : html
}

export function goTo(visit: Visit, path: string, flash?: Flash, cookies: readonly string[] = []): Response {
  const response = new Response(null, { status: 303, headers: { Location: path } })
  for (const text of cookies) response.headers.append("Set-Cookie", text)
  if (flash !== undefined) response.headers.append("Set-Cookie", flashCookie(flash, isSecure(visit)))
  return response
}

export type Refused = Readonly<{ errors: Errors; status?: number; headers?: Readonly<Record<string, string>> }>

/** The form again, when too many passwords are being hashed. Everything typed is kept except the password. */
export const BUSY = {
  status: 503,
  errors: { "": "Too many people are signing in just now. Please try again in a few seconds." },
  headers: { "Retry-After": String(HASHES_RETRY_AFTER_SECONDS) },
} as const

/** The same after too many wrong passwords or codes. */
export const waitFirst = (field: string, seconds: number): Refused => ({
  status: 429,
  errors: { [field]: `Too many wrong attempts. Please wait ${formatCount(seconds, "second")}, then try again.` },
  headers: { "Retry-After": String(seconds) },
})

/** What has been done, and where to go from there: the address and its words. */
export const done = (text: string, href?: string, label = "Continue"): Flash => ({
  kind: "done",
  text,
  next: href === undefined ? undefined : { href, label },
})
export const problem = (text: string): Flash => ({ kind: "problem", text })
/** Somebody else was faster. */
export const MEANWHILE = problem("This changed meanwhile, so nothing was done. Here is how it stands now.")

export function signInFirst(visit: Visit, next: string, flash?: Flash): Response {
  const query = next === "/app" || next === "" ? "" : `?next=${encodeURIComponent(next)}`
  return goTo(visit, `/app/sign-in${query}`, flash)
}

/** The picture as stored. Whatever is in it, a browser only ever draws it. */
export const logoResponse = (_: Visit, { mediaType, base64 }: Logo): Response =>
  new Response(Uint8Array.fromBase64(base64), {
    headers: {
      "Content-Type": mediaType,
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Content-Disposition": "inline",
      "Cross-Origin-Resource-Policy": "same-origin",
      "X-Content-Type-Options": "nosniff",
    },
  })
