import { type Static, Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { h } from "preact"
import { renderToString } from "preact-render-to-string"
import { FORM_FIELDS_MAX, KEPT_FORM_BYTES_MAX } from "../../../domain/limits.ts"
import { parseJson } from "../../../domain/schema/json.ts"
import { readForm, type SentForm } from "../form.ts"
import { FORGOTTEN } from "../frame/navigation.ts"
import { Banner } from "../parts/blocks.tsx"
import { CurrentPassword, Field, Form, HiddenInputs } from "../parts/form/form.tsx"
import { cardPage, type Refused } from "../respond.tsx"
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
        <a href={FORGOTTEN}>Forgot your password, or don’t have one yet?</a>
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

/** The page that a kept form was on, for a visitor who has just signed in; null when that visitor may not see it any more. */
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
export function refill(html: string, { action, fields }: KeptForm, note: string): string | null {
  const byName = Map.groupBy(fields, ([name]) => name)
  const left = new Map([...byName].map(([name, pairs]) => [name, pairs.map(([, value]) => value)]))
  let [isFilled, isInside, isShown, selected] = [false, false, false, ""]

  function enter(form: Element): void {
    const isOurs = read(form, "action").replace(/[?#].*$/s, "") === action && form.getAttribute("method") === "post"
    if (isFilled || !isOurs) return
    isFilled = true
    isInside = true
    form.onEndTag((end) => {
      isInside = false
      const rest = [...left].flatMap(([name, values]) => values.map((value) => hidden(name, value)))
      end.before(rest.join(""), { html: true })
    })
  }

  function fillInput(input: Element): void {
    const [name, type] = [read(input, "name"), read(input, "type")]
    if (!isInside || name === "" || type === "password" || type === "file") return
    if (type !== "hidden") show(input)
    if (type === "checkbox" || type === "radio") {
      mark(input, "checked", take(name, read(input, "value")))
      return
    }
    const typed = [left.get(name)?.shift(), ...unseenChoices(name)]
    const text = typed.filter((part) => part !== undefined && part !== "").join(", ")
    // A date input would show nothing of a day that was typed in words.
    if (type === "date" || type === "time") input.setAttribute("type", /^[\d:-]*$/.test(text) ? type : "text")
    input.setAttribute("value", forAttribute(text))
  }

  function fillArea(area: Element): void {
    if (!isInside) return
    show(area)
    // A line break right after the tag is not part of the text.
    const text = left.get(read(area, "name"))?.shift() ?? ""
    area.setInnerContent(text.startsWith("\n") ? `\n${text}` : text)
  }

  function enterSelect(select: Element): void {
    selected = read(select, "name")
  }

  function fillOption(option: Element): void {
    if (isInside && left.has(selected)) mark(option, "selected", take(selected, read(option, "value")))
  }

  /** What was typed is in view: the browser goes to the first field. */
  function show(field: Element): void {
    if (!isShown) field.setAttribute("autofocus", "")
    isShown = true
  }

  function take(name: string, value: string): boolean {
    const values = left.get(name) ?? []
    const index = values.indexOf(value)
    if (index >= 0) values.splice(index, 1)
    return index >= 0
  }

  /** Choices that were added with a script, such as countries: the text field beside them says them again. */
  function unseenChoices(name: string): string[] {
    if (!name.endsWith("_add")) return []
    const choices = left.get(name.slice(0, -"_add".length)) ?? []
    return choices.splice(0).filter((choice) => choice !== "*" || !choices.push(choice))
  }

  const filled = new HTMLRewriter()
    .on("main", { element: (main) => void main.prepend(note, { html: true }) })
    .on("form", { element: enter })
    .on("input", { element: fillInput })
    .on("textarea", { element: fillArea })
    .on("select", { element: enterSelect })
    .on("option", { element: fillOption })
    // Which button was pressed is not what was typed.
    .on("button", { element: (button) => void (isInside && left.delete(read(button, "name"))) })
    .transform(html)
  return isFilled ? filled : null
}

type Element = HTMLRewriterTypes.Element

function mark(element: Element, name: string, isOn: boolean): void {
  if (isOn) element.setAttribute(name, "")
  else element.removeAttribute(name)
}

const hidden = (name: string, value: string) =>
  `<input type="hidden" name="${Bun.escapeHTML(name)}" value="${Bun.escapeHTML(value)}">`

/** The rewriter escapes only quotation marks, and reads attributes as they are written. */
const forAttribute = (text: string) => text.replaceAll("&", "&amp;")

const read = (element: Element, name: string): string =>
  (element.getAttribute(name) ?? "").replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&")
