import { signIn, signInWithCode } from "../../../actions/people/sign-in.ts"
import { CODE_MINUTES } from "../../../domain/people/links.ts"
import { hasOperator } from "../../../storage/people/users.ts"
import { goTo, goToWithProblem } from "../../flash.ts"
import { type FormOf, type FormState, formPage, newState, type Texts } from "../../forms/form.ts"
import { page } from "../../page.tsx"
import { Field } from "../../parts/fields.tsx"
import { Form, Hidden } from "../../parts/form.tsx"
import { cookieOf, removeCookie, setCookie } from "../../session/cookies.ts"
import { enter, pageBefore, safePath } from "../../session/enter.ts"
import { keepForm } from "../../session/kept-form.ts"
import { refusal } from "../../session/proof.ts"
import { browserOf } from "../../session/session.ts"
import type { Visit } from "../../visit.ts"
import { unclaimedPage } from "./unclaimed.tsx"

/** The page to go to after signing in. */
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

/** Shows the form, or how to set up the server if it has no operator yet. */
export async function showSignIn(visit: Visit): Promise<Response> {
  if (visit.user !== null) return goTo(visit, safePath(visit.url.searchParams.get("next") ?? ""))
  if (!(await hasOperator(visit.context.database.read))) return unclaimedPage(visit)
  return formPage(form).show(visit)
}

export const sendSignIn = formPage(form).submit

/** Asks the visitor to sign in, and returns to the page afterwards. A form that was sent is kept. */
export async function askToSignIn(visit: Visit): Promise<Response> {
  if (visit.request.method === "GET") {
    const next = visit.url.pathname + visit.url.search
    return goTo(visit, next === "/app" ? "/app/sign-in" : `/app/sign-in?next=${encodeURIComponent(next)}`)
  }
  const kept = await keepForm(visit)
  const state = newState({ next: pageBefore(visit, visit.url.pathname), kept })
  return signInPage(visit, { ...state, notes: { "": kept === "" ? NOT_KEPT : KEPT } })
}

const KEPT = "Your session has expired, and nothing was saved. Sign in, and what you typed comes back."
const NOT_KEPT =
  "Your session has expired, and nothing was saved. What you sent is too long to keep. Sign in, then go back and send it again."

/** Proves that the password was right, until the code is typed. */
const CODE_COOKIE = "adbooth_code"

export const codeForm: FormOf<Visit, null> = {
  find: async () => null,
  begin: ({ url }) => ({ texts: { next: url.searchParams.get("next") ?? "", kept: "" } }),
  view: (visit, _, form) =>
    page(visit, {
      title: "Enter your code",
      intro: "The six digits that your authenticator app shows, or one of your recovery codes.",
      isCard: true,
      form,
      body: (
        <Form action="/app/sign-in/code" submit="Continue" cancel="/app/sign-in">
          <Hidden name="next" />
          <Hidden name="kept" />
          <Field name="otp" label="Code" required autocomplete="one-time-code" />
        </Form>
      ),
    }),
  async save(visit, _, texts) {
    const proof = { codeToken: cookieOf(visit, CODE_COOKIE), code: texts["otp"] ?? "" }
    const outcome = await signInWithCode(visit.context, proof, browserOf(visit))
    if (outcome.outcome === "expired")
      return goToWithProblem(visit, "/app/sign-in", "That took too long. Please sign in again.")
    if (outcome.outcome !== "signed in")
      return refusal(outcome, { otp: "This code is wrong. Codes change every 30 seconds." })
    const response = await enter(visit, texts, outcome.token)
    removeCookie(visit, response, CODE_COOKIE)
    return response
  },
}

/** The second step of a sign-in. A kept form is too long for an address, so it's in the page. */
export async function askForCode(visit: Visit, { next = "", kept = "" }: Texts, codeToken: string): Promise<Response> {
  const response = await codeForm.view(visit, null, newState({ next, kept }))
  setCookie(visit, response, CODE_COOKIE, codeToken, CODE_MINUTES * 60)
  return response
}
