import { type Static, Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { h } from "preact"
import { renderToString } from "preact-render-to-string"
import { FORM_FIELDS_MAX, KEPT_FORM_BYTES_MAX } from "../../../domain/limits.ts"
import { parseJson } from "../../../domain/schema/exact-json.ts"
import { readForm, type SentForm } from "../form.ts"
import { Banner } from "../parts/blocks.tsx"
import { CurrentPassword, Field } from "../parts/form/fields.tsx"
import { Form, HiddenInputs } from "../parts/form/form.tsx"
import { cardPage } from "../parts/page.tsx"
import type { Refused } from "../respond.ts"
import type { Visit } from "../visit.ts"

export interface SignInTyped extends Partial<Refused> {
  readonly email?: string
  readonly next: string
  /** What was typed elsewhere when the session ended. */
  readonly typed?: KeptForm | null | undefined
}

export const signInPage = (visit: Visit, { email = "", next, typed = null, errors, ...answer }: SignInTyped) =>
  cardPage(visit, {
    title: "Sign in",
    ...answer,
    body: [
      typed !== null && errors === undefined && (
        <Banner tone="warn" live>
          <p>Your session has ended. Sign in again: what you typed is not lost.</p>
        </Banner>
      ),
      <Form action="/app/sign-in" submit="Sign in" values={{ email }} errors={errors} multipart={typed !== null}>
        <HiddenInputs values={{ next, ...keptInput(typed) }} />
        <Field name="email" label="Email" type="email" required autocomplete="username" />
        <CurrentPassword label="Password" />
      </Form>,
      <p class="hint">
        Forgot your password, or don’t have one yet? An admin of your organization can send you a link.
      </p>,
    ],
    after: (
      <p class="hint center">
        {visit.url.host} · <a href="/docs">Guides and API reference</a>
      </p>
    ),
  })

// Sent as it is, it is not longer than the form that was kept; escaped for an address it would be.
export const keptInput = (form: KeptForm | null): Record<string, string> =>
  form === null ? {} : { kept: JSON.stringify(form) }

/** Instead of a page that needs a session: the form that was sent is kept. */
export const signInAndKeep = (visit: Visit, form: KeptForm): Response =>
  signInPage(visit, { next: "/app", typed: form })

/** A form that was sent after the session had ended. It goes through the sign-in page and comes back as it was typed. */
const KeptForm = Type.Object({
  action: Type.String(),
  /** The page that it was on; empty where the browser does not say. */
  from: Type.String(),
  fields: Type.Unsafe<readonly (readonly [name: string, value: string])[]>(
    Type.Array(Type.Tuple([Type.String(), Type.String()]), { maxItems: FORM_FIELDS_MAX }),
  ),
  /** Browsers do not let a page fill in a file: it has to be chosen again. */
  hadFile: Type.Boolean(),
})
type KeptForm = Static<typeof KeptForm>

// What a page never gets back. A code is a secret where people sign in; those of affiliates are none.
const SECRETS = new Set(["password", "current", "wanted", "secret"])
const isSecret = (name: string, path: string) => SECRETS.has(name) || (name === "code" && !path.startsWith("/app/o/"))

/** Anybody can send a form without a session, so that keeping one must cost little: throws `FormRefused` beyond that. */
export async function keepForm(visit: Visit): Promise<KeptForm> {
  const form = await readForm(visit.request, KEPT_FORM_BYTES_MAX)
  const fields = form.entries().filter(([name]) => !isSecret(name, visit.url.pathname))
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
export const ownPage = (address: string): string =>
  /^\/app(?:\/[\w\-./?=&%~!$'()*+,;:@]*)?$/.test(address) && !address.includes("//") ? address : ""

/** Null when the form has none, or one that is not ours. */
export function readKept(form: SentForm): KeptForm | null {
  const typed = parseJson(form.raw("kept"))
  return Value.Check(KeptForm, typed) && ownPage(typed.action) !== "" ? { ...typed, from: ownPage(typed.from) } : null
}

/** Pages that may have the form, the likeliest first. A page that was itself the answer to a form has no address of its own. */
function pagesOf({ action, from }: KeptForm): string[] {
  const parent = action.slice(0, action.lastIndexOf("/"))
  return [...new Set([from, action, parent])].filter((page) => page !== "")
}

/** The page that a kept form was on, for somebody who has just signed in; null when they no longer get to see it. */
export async function formAgain({ context, request, url }: Visit, form: KeptForm, cookies: string) {
  // The new session comes first: a page that is loaded again still has the one before.
  const headers = { cookie: `${cookies}; ${request.headers.get("cookie") ?? ""}` }
  for (const page of pagesOf(form)) {
    const answer = await context.open(new Request(new URL(page, url), { headers }))
    if (answer.status !== 200 || !answer.headers.get("content-type")?.startsWith("text/html")) continue
    const html = refill(await answer.text(), form, renderToString(h(SignedInAgain, form)))
    if (html !== null) return new Response(html, { headers: answer.headers })
  }
  return null
}

const SignedInAgain = ({ hadFile }: Pick<KeptForm, "hadFile">) => (
  <Banner tone="warn" live>
    <p>
      You are signed in again. Nothing has been saved yet: here is what you typed.
      {hadFile && " Please choose the file again."}
    </p>
  </Banner>
)

/**
 * The page with what was typed in its form; null when it has no such form. Works on the finished page, so that no form of the app
 * has to know about it. What the form no longer has a field for is sent along unseen.
 */
export function refill(html: string, form: KeptForm, note: string): string | null {
  const filling = new Filling(form)
  const rewriter = new HTMLRewriter()
    .on("main", { element: (main) => void main.prepend(note, { html: true }) })
    .on("form", { element: (form) => filling.enter(form) })
    .on("input", { element: (input) => filling.input(input) })
    .on("textarea", { element: (area) => filling.area(area) })
    .on("select", { element: (select) => filling.select(select) })
    .on("option", { element: (option) => filling.option(option) })
    .on("button", { element: (button) => filling.button(button) })
  const filled = rewriter.transform(html)
  return filling.isFilled ? filled : null
}

class Filling {
  isFilled = false
  #inside = false
  #select = ""
  #isShown = false
  readonly #left: Map<string, string[]>

  readonly #action: string

  constructor(form: KeptForm) {
    this.#action = form.action
    const byName = Map.groupBy(form.fields, ([name]) => name)
    this.#left = new Map([...byName].map(([name, pairs]) => [name, pairs.map(([, value]) => value)]))
  }

  enter(form: HTMLRewriterTypes.Element): void {
    const action = read(form, "action").replace(/[?#].*$/s, "")
    if (this.isFilled || action !== this.#action || form.getAttribute("method") !== "post") return
    this.isFilled = true
    this.#inside = true
    form.onEndTag((end) => {
      this.#inside = false
      const rest = [...this.#left].flatMap(([name, values]) => values.map((value) => hidden(name, value)))
      end.before(rest.join(""), { html: true })
    })
  }

  input(input: HTMLRewriterTypes.Element): void {
    const name = read(input, "name")
    const type = read(input, "type")
    if (!this.#inside || name === "" || type === "password" || type === "file") return
    if (type !== "hidden") this.#show(input)
    if (type === "checkbox" || type === "radio") {
      mark(input, "checked", this.#take(name, read(input, "value")))
      return
    }
    const typed = [this.#next(name), ...this.#unseenChoices(name)].filter((text) => text !== undefined && text !== "")
    const text = typed.join(", ")
    // A date input would show nothing of a day that was typed in words.
    if (type === "date" || type === "time") input.setAttribute("type", /^[\d:-]*$/.test(text) ? type : "text")
    input.setAttribute("value", forAttribute(text))
  }

  area(area: HTMLRewriterTypes.Element): void {
    if (!this.#inside) return
    this.#show(area)
    // A line break right after the tag is not part of the text.
    const text = this.#next(read(area, "name")) ?? ""
    area.setInnerContent(text.startsWith("\n") ? `\n${text}` : text)
  }

  select(select: HTMLRewriterTypes.Element): void {
    this.#select = read(select, "name")
  }

  option(option: HTMLRewriterTypes.Element): void {
    const isKnown = this.#inside && this.#left.has(this.#select)
    if (isKnown) mark(option, "selected", this.#take(this.#select, read(option, "value")))
  }

  /** Which button was pressed is not what was typed. */
  button(button: HTMLRewriterTypes.Element): void {
    if (this.#inside) this.#left.delete(read(button, "name"))
  }

  /** What was typed is in view: the browser goes to the first field. */
  #show(field: HTMLRewriterTypes.Element): void {
    if (!this.#isShown) field.setAttribute("autofocus", "")
    this.#isShown = true
  }

  #next(name: string): string | undefined {
    return this.#left.get(name)?.shift()
  }

  #take(name: string, value: string): boolean {
    const values = this.#left.get(name) ?? []
    const index = values.indexOf(value)
    if (index >= 0) values.splice(index, 1)
    return index >= 0
  }

  /** Choices that were added with a script, such as countries: the text field beside them says them again. */
  #unseenChoices(name: string): string[] {
    if (!name.endsWith("_add")) return []
    const choices = this.#left.get(name.slice(0, -"_add".length)) ?? []
    return choices.splice(0).filter((choice) => choice !== "*" || !choices.push(choice))
  }
}

function mark(element: HTMLRewriterTypes.Element, name: string, isOn: boolean): void {
  if (isOn) element.setAttribute(name, "")
  else element.removeAttribute(name)
}

const hidden = (name: string, value: string) =>
  `<input type="hidden" name="${Bun.escapeHTML(name)}" value="${Bun.escapeHTML(value)}">`

/** The rewriter escapes only quotation marks, and reads attributes as they are written. */
const forAttribute = (text: string) => text.replaceAll("&", "&amp;")

const read = (element: HTMLRewriterTypes.Element, name: string): string =>
  (element.getAttribute(name) ?? "").replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&")
