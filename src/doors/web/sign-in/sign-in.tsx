import { signOut as endSession, type SignedInOutcome, signOutEverywhere } from "../../../actions/people/sessions.ts"
import { type SignInOutcome, signIn, signInWithCode } from "../../../actions/people/sign-in.ts"
import { KEPT_FORM_BYTES_MAX } from "../../../domain/limits.ts"
import { SECOND_FACTOR_MINUTES } from "../../../domain/people/user.ts"
import { metaOf } from "../../http/request-meta.ts"
import { BROWSER_COOKIE, cookie, cookieName, noCookie, SECOND_FACTOR_COOKIE, SESSION_COOKIE } from "../cookies.ts"
import { type Errors, readForm, type SentForm } from "../form.ts"
import { forAnyone, forSignedIn } from "../guards.ts"
import { ONCE_COOKIE } from "../one-time-secret.tsx"
import { Field, Form, HiddenInputs } from "../parts/form/form.tsx"
import { BUSY, cardPage, done, goTo, problem, type Refused, waitFirst } from "../respond.tsx"
import { callerOf, isSecure, signedInCookies, type Visit } from "../visit.ts"
import { formAgain, keptInput, ownPage, readKept, type SignInTyped, signInPage } from "./resume-after-sign-in.tsx"
import { isUnclaimed, unclaimedPage } from "./unclaimed.tsx"

const WRONG = "Wrong email or password."

/** Where the visitor was going, or the form that they sent without a session. */
async function afterSignIn(
  visit: Visit,
  { next, typed }: SignInTyped,
  outcome: SignedInOutcome,
  cookies: readonly string[] = [],
): Promise<Response> {
  const all = [...(await signedInCookies(visit, outcome)), ...cookies]
  const session = `${cookieName(SESSION_COOKIE, isSecure(visit))}=${outcome.token}`
  const again = typed ? await formAgain(visit, typed, session) : null
  if (again === null) return goTo(visit, next, typed ? problem(NOT_AGAIN) : undefined, all)
  for (const cookie of all) again.headers.append("Set-Cookie", cookie)
  return again
}

const NOT_AGAIN = "What you typed can’t be shown. You may have signed in as someone else."

// A kept form as JSON, which may escape some of it, and the fields of this one.
const SIGN_IN_BYTES_MAX = 4 * KEPT_FORM_BYTES_MAX

async function readSignIn(visit: Visit): Promise<SignInTyped & { readonly form: SentForm }> {
  const form = await readForm(visit.request, SIGN_IN_BYTES_MAX)
  return { form, next: safeNext(form.text("next")), typed: readKept(form) }
}

const attemptOf = (visit: Visit) => ({
  caller: callerOf(visit),
  browser: visit.cookies.get(BROWSER_COOKIE) ?? "",
  previousHash: visit.sessionHash,
})

async function submitSignIn(visit: Visit): Promise<Response> {
  const { form, next, typed } = await readSignIn(visit)
  const email = form.text("email")
  const outcome = await signIn(visit.context, { email, password: form.raw("password"), ...attemptOf(visit) })
  if (outcome.outcome === "signed_in") return afterSignIn(visit, { next, typed }, outcome)
  if (outcome.outcome === "code_needed") {
    const options = { secure: isSecure(visit), maxAgeSeconds: SECOND_FACTOR_MINUTES * 60 }
    const proof = cookie(SECOND_FACTOR_COOKIE, outcome.token, options)
    if (typed) return codePage(visit, { next, typed, headers: { "Set-Cookie": proof } })
    return goTo(visit, `/app/sign-in/code?next=${encodeURIComponent(next)}`, undefined, [proof])
  }
  if (outcome.outcome === "busy") {
    // Many callers may be refused at the same moment.
    await metaOf(visit.request).turn()
    return signInPage(visit, { email, next, typed, ...BUSY })
  }
  return signInPage(visit, { email, next, typed, ...refused(outcome, { password: WRONG }) })
}

const refused = (outcome: Extract<SignInOutcome, { outcome: "wrong" | "wait" }>, wrong: Errors): Refused =>
  outcome.outcome === "wrong" ? { errors: wrong } : waitFirst("", outcome.seconds)

const CODE_FORM = { action: "/app/sign-in/code", submit: "Continue", cancel: "/app/sign-in" }
const CODE_HINT = "The six digits in your app, or a recovery code."

const codePage = (visit: Visit, { next, typed = null, errors, ...answer }: SignInTyped): Response =>
  cardPage(visit, {
    title: "Two-factor code",
    ...answer,
    body: (
      <Form {...CODE_FORM} errors={errors} multipart={typed !== null}>
        <HiddenInputs values={{ next, ...keptInput(typed) }} />
        <Field name="code" label="Code" required autocomplete="one-time-code" hint={CODE_HINT} />
      </Form>
    ),
  })

async function submitCode(visit: Visit): Promise<Response> {
  const { form, next, typed } = await readSignIn(visit)
  const token = visit.cookies.get(SECOND_FACTOR_COOKIE) ?? ""
  const outcome = await signInWithCode(visit.context, { token, code: form.text("code"), ...attemptOf(visit) })
  if (outcome.outcome === "expired") {
    return signInPage(visit, { next, typed, errors: { "": "That took too long. Please start again." } })
  }
  if (outcome.outcome !== "signed_in") {
    return codePage(visit, { next, typed, ...refused(outcome, { code: "This code is wrong." }) })
  }
  return afterSignIn(visit, { next, typed }, outcome, [noCookie(SECOND_FACTOR_COOKIE, isSecure(visit))])
}

/** Only our own pages: a link to the sign-in page must not redirect anywhere else. */
const safeNext = (next: string): string => ownPage(next) || "/app"

async function signOut(visit: Visit): Promise<Response> {
  if (visit.sessionHash !== null) await endSession(visit.context, visit.sessionHash)
  return afterSignOut(visit, "You are signed out.")
}

function afterSignOut(visit: Visit, text: string): Response {
  const gone = [SESSION_COOKIE, ONCE_COOKIE].map((name) => noCookie(name, isSecure(visit)))
  const response = goTo(visit, "/app/sign-in", done(text), gone)
  // Forms with errors may be in the browser's cache.
  response.headers.set("Clear-Site-Data", '"cache"')
  return response
}

const nextOf = ({ url }: Visit) => safeNext(url.searchParams.get("next") ?? "")

export const signInRoutes = [
  forAnyone("GET", "/app/sign-in", async (visit) => {
    if (visit.person !== null) return goTo(visit, nextOf(visit))
    return (await isUnclaimed(visit)) ? unclaimedPage(visit) : signInPage(visit, { next: nextOf(visit) })
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
