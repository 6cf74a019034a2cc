import { signIn } from "../../../actions/people/sign-in.ts"
import { hasOperator } from "../../../storage/people/users.ts"
import { goTo } from "../../flash.ts"
import { type FormOf, type FormState, formPage, newState, type Texts } from "../../form.ts"
import { page } from "../../page.tsx"
import { Field } from "../../parts/fields.tsx"
import { Form, Hidden } from "../../parts/form.tsx"
import { keepForm, readKept } from "../../session/kept-form.ts"
import { refusal } from "../../session/proof.ts"
import { browserOf, cookiesWith, keepSession } from "../../session/session.ts"
import type { Visit } from "../../visit.ts"
import { askForCode } from "./code.tsx"
import { unclaimedPage } from "./unclaimed.tsx"

/** Where somebody goes after signing in, and the form that they had sent. */
interface Target {
  readonly next: string
}

const form: FormOf<Visit, Target> = {
  find: async ({ url }) => ({ next: safePath(url.searchParams.get("next") ?? "") }),
  begin: (_, { next }) => ({ texts: { next, kept: "" } }),
  view: (visit, _, state) => signInPage(visit, state),
  async save(visit, _, texts) {
    const { email = "", password = "" } = texts
    const outcome = await signIn(visit.context, { email, password }, browserOf(visit))
    if (outcome.outcome === "signed in") return enter(visit, texts, outcome.token)
    if (outcome.outcome === "code needed") return askForCode(visit, texts, outcome.codeToken)
    return refusal(outcome, { password: "This email address or password is wrong." })
  },
}

const signInPage = (visit: Visit, state: FormState): Response =>
  page(visit, {
    title: "Sign in",
    isCard: true,
    form: state,
    body: (
      <>
        <Form action="/app/sign-in" submit="Sign in">
          <Hidden name="next" />
          <Hidden name="kept" />
          <Field name="email" label="Email" type="email" required autocomplete="username" />
          <Field name="password" label="Password" type="password" required autocomplete="current-password" />
        </Form>
        <p>
          <a href="/app/forgot-password">Forgot your password?</a>
        </p>
      </>
    ),
  })

/** Shows the form, unless there is nobody yet who could sign in. */
export async function showSignIn(visit: Visit): Promise<Response> {
  if (visit.user !== null) return goTo(visit, safePath(visit.url.searchParams.get("next") ?? ""))
  if (!(await hasOperator(visit.context.database.read))) return unclaimedPage(visit)
  return formPage(form).show(visit)
}

export const sendSignIn = formPage(form).submit

/** Signs somebody in, and goes where they wanted to go. A form that they had sent comes back first. */
export async function enter(visit: Visit, { next = "", kept: json = "" }: Texts, token: string): Promise<Response> {
  const kept = readKept(json)
  const again = kept === null ? null : await visit.reopen(kept, cookiesWith(visit, token))
  const message = kept === null ? undefined : "What you typed can’t be shown again. Nothing was saved."
  const response = again?.status === 200 ? again : goTo(visit, safePath(next), message)
  keepSession(visit, response, token)
  return response
}

/** Asks a stranger to sign in, and comes back to the page afterwards. A form that was sent is kept. */
export async function askToSignIn(visit: Visit): Promise<Response> {
  if (visit.request.method === "GET") {
    const next = visit.url.pathname + visit.url.search
    return goTo(visit, next === "/app" ? "/app/sign-in" : `/app/sign-in?next=${encodeURIComponent(next)}`)
  }
  const kept = await keepForm(visit)
  const state = newState({ next: pageOfForm(visit), kept })
  return signInPage(visit, { ...state, notes: { "": kept === "" ? NOT_KEPT : KEPT } })
}

const KEPT = "Your session has expired, and nothing was saved. Sign in, and what you typed comes back."
const NOT_KEPT =
  "Your session has expired, and nothing was saved. What you sent is too long to keep: sign in, then go back and send it again."

function pageOfForm({ request, url }: Visit): string {
  const referer = URL.parse(request.headers.get("referer") ?? "")
  return safePath(referer?.host === url.host ? referer.pathname + referer.search : url.pathname)
}

/** Only our own pages, so that a link to the sign-in page can't lead anywhere else. */
const safePath = (path: string): string => (/^\/app\/[^/\\][^\\]*$/.test(path) ? path : "/app")
