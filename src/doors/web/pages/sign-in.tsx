import { signOut as endSession, signOutEverywhere } from "../../../actions/people/end-sessions.ts"
import { type SignInOutcome, signIn, signInWithCode } from "../../../actions/people/sign-in.ts"
import { SECOND_FACTOR_MINUTES, SETUP_LINK_MINUTES } from "../../../domain/people/user.ts"
import { callerOf } from "../client-address.ts"
import { cookie, cookiesOf, noCookie, SECOND_FACTOR_COOKIE, SESSION_COOKIE, sessionCookie } from "../cookies.ts"
import { eventLoopTurn } from "../event-loop-turn.ts"
import { type Errors, readForm } from "../form.ts"
import { Copyable } from "../parts/copyable.tsx"
import { Field } from "../parts/form/field.tsx"
import { Form, HiddenInputs } from "../parts/form/form.tsx"
import { CurrentPassword } from "../parts/form/password-fields.tsx"
import { cardPage } from "../parts/page-kinds.tsx"
import { BUSY, done, goTo, isSecure } from "../respond.ts"
import { forAnyone, forSignedIn } from "../route.ts"
import type { Visit } from "../visit.ts"
import type { Refused } from "./account.tsx"

const WRONG = "Wrong email or password."

interface Typed extends Partial<Refused> {
  readonly email?: string
  readonly next: string
}

function signInPage(visit: Visit, { email = "", next, errors, ...answer }: Typed): Response {
  return cardPage(visit, {
    title: "Sign in",
    ...answer,
    body: (
      <>
        <Form action="/app/sign-in" submit="Sign in" values={{ email }} errors={errors}>
          <HiddenInputs values={{ next }} />
          <Field name="email" label="Email" type="email" required autocomplete="username" />
          <CurrentPassword label="Password" />
        </Form>
        <p class="hint">
          Forgotten your password, or not got one yet? An admin of your organization can send you a new link.
        </p>
      </>
    ),
    after: (
      <p class="hint center">
        {visit.url.host} · <a href="/docs">API reference</a>
      </p>
    ),
  })
}

/** Whether nobody can sign in yet. */
async function isUnclaimed({ context: { store } }: Visit): Promise<boolean> {
  return !(await store.users.hasOperator()) && (await store.users.list()).length === 0
}

/** What to do before there is anybody to sign in. */
function firstRunPage(visit: Visit): Response {
  return cardPage(visit, {
    title: "Set up",
    heading: "Adbooth is running, but has no operator yet",
    text: "The first operator signs in with a set-up link. It was printed when the server started; this prints a new one:",
    body: (
      <>
        <Copyable id="setup-command" label="On the server" text="adbooth setup-link" />
        <details>
          <summary class="small">In a container, or as a service?</summary>
          <div class="stack tight">
            <Copyable id="container-command" label="Container" text="docker exec adbooth adbooth setup-link" />
            <Copyable id="service-command" label="systemd" text="sudo -u adbooth adbooth setup-link" />
          </div>
        </details>
        <p class="hint">The link works once, for {SETUP_LINK_MINUTES} minutes. Nobody can sign in before it is used.</p>
      </>
    ),
  })
}

async function submitSignIn(visit: Visit): Promise<Response> {
  const form = await readForm(visit.request)
  const next = safeNext(form.text("next"))
  const email = form.text("email")
  const outcome = await signIn(visit.context, {
    email,
    password: form.raw("password"),
    caller: callerOf(visit),
    previousHash: visit.sessionHash,
  })
  if (outcome.outcome === "signed_in")
    return goTo(visit, next, undefined, [sessionCookie(outcome.token, isSecure(visit))])
  if (outcome.outcome === "code_needed") {
    const options = { secure: isSecure(visit), maxAgeSeconds: SECOND_FACTOR_MINUTES * 60 }
    return goTo(visit, `/app/sign-in/code?next=${encodeURIComponent(next)}`, undefined, [
      cookie(SECOND_FACTOR_COOKIE, outcome.token, options),
    ])
  }
  if (outcome.outcome === "busy") {
    // Many callers may be refused at the same moment.
    await eventLoopTurn()
    return signInPage(visit, { email, next, ...BUSY })
  }
  return signInPage(visit, { email, next, ...refused(outcome, { password: WRONG }) })
}

function refused(outcome: Extract<SignInOutcome, { outcome: "wrong" | "wait" }>, wrong: Errors): Refused {
  if (outcome.outcome === "wrong") return { errors: wrong }
  const errors = { "": `Too many wrong attempts. Please wait ${outcome.seconds} s, then try again.` }
  return { status: 429, errors, headers: { "Retry-After": String(outcome.seconds) } }
}

function codePage(visit: Visit, { next, errors, ...answer }: Typed): Response {
  return cardPage(visit, {
    title: "Two-factor code",
    ...answer,
    body: (
      <Form action="/app/sign-in/code" submit="Continue" cancel="/app/sign-in" errors={errors}>
        <HiddenInputs values={{ next }} />
        <Field
          name="code"
          label="Code"
          required
          autocomplete="one-time-code"
          hint="The six digits that your app shows now, or one of your recovery codes."
        />
      </Form>
    ),
  })
}

async function submitCode(visit: Visit): Promise<Response> {
  const form = await readForm(visit.request)
  const next = safeNext(form.text("next"))
  const outcome = await signInWithCode(visit.context, {
    token: cookiesOf(visit.request).get(SECOND_FACTOR_COOKIE) ?? "",
    code: form.text("code"),
    caller: callerOf(visit),
    previousHash: visit.sessionHash,
  })
  if (outcome.outcome === "expired") {
    return signInPage(visit, { next, errors: { "": "That took too long. Please start again." } })
  }
  if (outcome.outcome !== "signed_in") {
    return codePage(visit, { next, ...refused(outcome, { code: "This code is wrong." }) })
  }
  const cookies = [sessionCookie(outcome.token, isSecure(visit)), noCookie(SECOND_FACTOR_COOKIE, isSecure(visit))]
  return goTo(visit, next, undefined, cookies)
}

/** Only our own pages: a link to the sign-in page must not redirect anywhere else. */
function safeNext(next: string): string {
  return /^\/app(?:\/[\w\-./?=&%]*)?$/.test(next) && !next.includes("//") ? next : "/app"
}

async function signOut(visit: Visit): Promise<Response> {
  if (visit.sessionHash !== null) await endSession(visit.context, visit.sessionHash)
  return afterSignOut(visit, "You are signed out.")
}

function afterSignOut(visit: Visit, text: string): Response {
  return goTo(visit, "/app/sign-in", done(text), [noCookie(SESSION_COOKIE, isSecure(visit))])
}

const nextOf = ({ url }: Visit) => safeNext(url.searchParams.get("next") ?? "")

export const signInRoutes = [
  forAnyone("GET", "/app/sign-in", async (visit) => {
    if (visit.person !== null) return goTo(visit, nextOf(visit))
    return (await isUnclaimed(visit)) ? firstRunPage(visit) : signInPage(visit, { next: nextOf(visit) })
  }),
  forAnyone("POST", "/app/sign-in", submitSignIn),
  forAnyone("GET", "/app/sign-in/code", (visit) => codePage(visit, { next: nextOf(visit) })),
  forAnyone("POST", "/app/sign-in/code", submitCode),
  forAnyone("POST", "/app/sign-out", signOut),
  forSignedIn("POST", "/app/sign-out/everywhere", async (visit) => {
    await signOutEverywhere(visit.context, visit.person.userId)
    return afterSignOut(visit, "You are signed out on every device.")
  }),
]
