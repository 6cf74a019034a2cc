import { type ComponentChildren, h } from "preact"
import { renderToString } from "preact-render-to-string"
import { HASHES_RETRY_AFTER_SECONDS } from "../../domain/limits.ts"
import type { Logo } from "../../domain/people/logo.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import { pageResponse } from "../http/compressed.ts"
import { CHARTS_SCRIPT } from "./assets.ts"
import { type Flash, flashCookie, noFlashCookie } from "./cookies.ts"
import type { Errors } from "./form.ts"
import { Layout, type PageShape } from "./frame/layout.tsx"
import { entryOf, sectionOf } from "./frame/navigation.ts"
import { ButtonLink, Submit } from "./parts/blocks.tsx"
import { Form, type FormProps, TextArea } from "./parts/form/form.tsx"
import { ErrorSummary, PageErrors, PageErrorsContext, type Way } from "./parts/form/frame.tsx"
import { ClockContext, formatCount, type PageClock, ZoneNote } from "./parts/format.tsx"
import { DoorCard, PageHead, type PageHeadProps, Tabs, type TabsProps } from "./parts/page.tsx"
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
  if (visit.flash !== null) response.headers.append("Set-Cookie", noFlashCookie(isSecure(visit)))
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

interface HeadedPage extends Page, Omit<PageHeadProps, "children"> {
  /** Where the heading says more than the title. */
  readonly heading?: string
  readonly tabs?: TabsProps
  /** Below the heading. A plain text becomes a paragraph. */
  readonly intro?: ComponentChildren
}

/** A page with its heading: title, breadcrumb, actions and introduction. */
export function headedPage(visit: Visit, headed: HeadedPage): Response {
  const { heading, trail = [], actions, badges, tabs, intro, body, ...rest } = headed
  const section = tabs ?? (trail.length === 0 ? sectionOf(visit.place, rest.active ?? entryOf(visit.url)) : undefined)
  return page(visit, {
    ...rest,
    body: [
      <PageHead title={heading ?? rest.title} trail={trail} actions={actions} badges={badges}>
        {intro}
      </PageHead>,
      section !== undefined && <Tabs {...section} />,
      body,
    ],
  })
}

interface ConfirmPage extends Pick<FormProps, "submit" | "cancel" | "values" | "errors" | "instead" | "children"> {
  readonly title: string
  readonly text: ComponentChildren
  readonly action?: string
}

/** Asks before something that cannot be undone. */
export function confirmPage(visit: Visit, { title, text, ...form }: ConfirmPage): Response {
  const body = <Form action={visit.url.pathname} {...form} danger />
  return cardPage(visit, { title, text, body })
}

type CardPage = Page & Readonly<{ heading?: string; text?: ComponentChildren; after?: ComponentChildren }>

/** A page that is one small card, such as a question or a short form. For strangers it is below the awning. */
export function cardPage(visit: Visit, { heading, text, body, after, ...rest }: CardPage): Response {
  const title = heading ?? rest.title
  const content = [text !== undefined && <p>{text}</p>, body]
  const card =
    visit.place === null ? (
      <DoorCard title={title}>{content}</DoorCard>
    ) : (
      <section class="card narrow">
        <h1>{title}</h1>
        {content}
      </section>
    )
  return page(visit, { ...rest, body: [card, after] })
}

/** What is asked before something that cannot be undone. */
export interface Question {
  /** The page that asks; its form goes there too. */
  readonly href: string
  readonly title: string
  readonly text: ComponentChildren
  readonly submit: string
  /** Where somebody goes who would rather not, if not to the page above. */
  readonly cancel?: string
  /** Who reads the reason that has to be given with it, as a hint. */
  readonly reason?: string | undefined
}

const Reason = ({ reason }: Pick<Question, "reason">) =>
  reason === undefined ? null : <TextArea name="message" label="Reason" hint={reason} rows={2} prose required />

export type AskedAgain = Readonly<{ errors?: Errors; instead?: Way }>

/** The page that asks: once more where the answer was refused. */
export const askPage = (visit: Visit, { href, reason, ...question }: Question, message = "", refused?: AskedAgain) =>
  confirmPage(visit, {
    cancel: href.slice(0, href.lastIndexOf("/")),
    ...question,
    action: href,
    values: { message },
    ...refused,
    children: <Reason reason={reason} />,
  })

/** The button on a page: it asks the same in a dialog, or on the page of the link where there are no scripts. */
export function AskButton({ label, question }: Readonly<{ label: string; question: Question }>) {
  const { href, title, submit, text, reason } = question
  const id = `ask-${href.split("/").at(-1)}`
  return [
    <ButtonLink opens={id} href={href} label={label} kind="quiet danger" />,
    <dialog id={id} aria-labelledby={`${id}-title`}>
      <form method="post" action={href}>
        <h2 id={`${id}-title`}>{title}</h2>
        <p>{text}</p>
        <Reason reason={reason} />
        <div class="actions">
          <button type="submit" class="button" formmethod="dialog" formnovalidate>
            Cancel
          </button>
          <Submit kind="danger" label={submit} />
        </div>
      </form>
    </dialog>,
  ]
}
