import { resolve } from "node:path"
import { signIn, signInWithCode, signOut } from "../../../actions/people/sign-in.ts"
import { CODE_MINUTES, SETUP_LINK_MINUTES } from "../../../domain/people/session.ts"
import { hasOperator } from "../../../storage/people/users.ts"
import { goTo, goToWithProblem } from "../../flash.ts"
import { type FormOf, newState, type Texts } from "../../forms/form.ts"
import { type Page, page } from "../../page.tsx"
import { Copyable } from "../../parts/blocks.tsx"
import { Field } from "../../parts/fields.tsx"
import { Form, Hidden } from "../../parts/form.tsx"
import { cookieOf, removeCookie, setCookie } from "../../session/cookies.ts"
import { enter, keepForm, pageBefore, safePath } from "../../session/kept-form.ts"
import { browserOf, forgetSession, refusal } from "../../session/session.ts"
import type { SignedInVisit, Visit } from "../../visit.ts"

/** Replaces the sign-in page until the server has an operator. Says where the set-up link is. */
const unclaimedPage = (visit: Visit): Page => ({
  title: "Set up Adbooth",
  intro:
    "The operator of this server starts with a set-up link. The server printed it when it started, so look in the terminal or the log. This command prints a new one:",
  isCard: true,
  body: (
    <>
      <Copyable id="setup-command" label="On the server" text={setUpCommand(visit)} />
      <details>
        <summary>In a container, or as a service?</summary>
        <div class="stack tight">
          <Copyable id="container-command" label="Container" text="docker exec adbooth /adbooth user setup-link" />
          <Copyable id="service-command" label="systemd" text="sudo adbooth user setup-link" />
        </div>
      </details>
      <p class="hint">
        The link works once, for {SETUP_LINK_MINUTES} minutes. <a href="/docs">Guides</a>
      </p>
    </>
  ),
})

/** The command as it works in any folder. The URL of a database may hold a password, so it isn't shown. */
function setUpCommand({ context: { config } }: Visit): string {
  if (config.databaseUrl !== null) return "adbooth user setup-link"
  return `adbooth user setup-link --data ${quoted(resolve(config.data))}`
}

const quoted = (path: string) => (/^[\w./:\\-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)

/** `next` is the page to go to after signing in. */
export const signInForm: FormOf<Visit, null> = {
  find: async () => null,
  begin: ({ url }) => ({ texts: { next: nextIn(url), kept: "" } }),
  async view(visit, _, { isSent }) {
    if (visit.user !== null && !isSent) return goTo(visit, nextIn(visit.url))
    return (await hasOperator(visit.read)) ? SIGN_IN_PAGE : unclaimedPage(visit)
  },
  async save(visit, _, texts) {
    const { email = "", password = "" } = texts
    const outcome = await signIn(visit.context, { email, password }, browserOf(visit))
    if (outcome.outcome === "signed in") return enter(visit, texts, outcome.token)
    if (outcome.outcome === "code needed") return askForCode(visit, texts, outcome.codeToken)
    return refusal(outcome, { password: "This email address or password is wrong." })
  },
}

const nextIn = (url: URL) => safePath(url.searchParams.get("next") ?? "")

const SIGN_IN_PAGE = {
  title: "Sign in",
  isCard: true,
  body: (
    <>
      <Form action="/app/sign-in" submit="Sign in">
        <Hidden name="next" />
        <Hidden name="kept" />
        <Field name="email" label="Email" type="email" required autocomplete="username" />
        <Field name="password" label="Password" type="password" required autocomplete="current-password" />
      </Form>
      <p>
        <a href="/app/forgot-password">Forgot your password?</a> · <a href="/docs">Guides</a>
      </p>
    </>
  ),
}

/** Asks the visitor to sign in, and returns to the page afterwards. A form that was sent is kept. */
export async function askToSignIn(visit: Visit): Promise<Response> {
  if (visit.request.method === "GET") {
    const next = visit.url.pathname + visit.url.search
    return goTo(visit, next === "/app" ? "/app/sign-in" : `/app/sign-in?next=${encodeURIComponent(next)}`)
  }
  const kept = await keepForm(visit)
  const state = newState({ next: pageBefore(visit, visit.url.pathname), kept })
  const form = { ...state, notes: { "": kept === "" ? NOT_KEPT : KEPT } }
  return page(visit, { ...SIGN_IN_PAGE, form })
}

const KEPT = "Your session has expired, and nothing was saved. Sign in, and what you typed comes back."
const NOT_KEPT =
  "Your session has expired, and nothing was saved. What you sent is too long to keep. Sign in, then go back and send it again."

/** Proves that the password was right, until the code is typed. */
const CODE_COOKIE = "adbooth_code"

export const codeForm: FormOf<Visit, null> = {
  find: async () => null,
  begin: ({ url }) => ({ texts: { next: url.searchParams.get("next") ?? "", kept: "" } }),
  view: () => CODE_PAGE,
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

const CODE_PAGE = {
  title: "Enter your code",
  intro: "The six digits that your authenticator app shows, or one of your recovery codes.",
  isCard: true,
  body: (
    <Form action="/app/sign-in/code" submit="Continue" cancel="/app/sign-in">
      <Hidden name="next" />
      <Hidden name="kept" />
      <Field name="otp" label="Code" required autocomplete="one-time-code" />
    </Form>
  ),
}

/** The second step of a sign-in. A kept form is too long for an address, so it's in the page. */
function askForCode(visit: Visit, { next = "", kept = "" }: Texts, codeToken: string): Response {
  const response = page(visit, { ...CODE_PAGE, form: newState({ next, kept }) })
  setCookie(visit, response, CODE_COOKIE, codeToken, CODE_MINUTES * 60)
  return response
}

/** Ends the session of this browser. */
export async function signOutHere(visit: Visit): Promise<Response> {
  if (visit.user !== null) await signOut(visit.context, visit.sessionHash)
  const response = goTo(visit, "/app/sign-in", "You’re signed out.")
  forgetSession(visit, response)
  // The browser may have kept pages with forms.
  response.headers.set("Clear-Site-Data", '"cache"')
  return response
}

/** Redirects to the page where this person starts. */
export function startPage(visit: SignedInVisit): Response {
  const organization = visit.menu?.organization ?? null
  if (organization !== null) return goTo(visit, `/app/o/${organization.slug}`)
  if (visit.user.isOperator) return goTo(visit, "/app/set-up")
  const intro = "Ask an admin of your organization, or the operator of this server, to add you."
  return page(visit, { title: "You don’t belong to an organization yet", intro, isCard: true, body: null })
}
