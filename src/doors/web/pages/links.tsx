import {
  claimPasswordLink,
  claimSetupLink,
  type LinkOutcome,
  type LinkVisitor,
  passwordProblem,
} from "../../../actions/people/set-password.ts"
import { hashToken } from "../../../domain/keys/token.ts"
import { PASSWORD_CHARACTERS_MIN } from "../../../domain/limits.ts"
import { personErrors } from "../../../domain/people/user.ts"
import { callerOf } from "../client-address.ts"
import { type Errors, type Form as FormData, readForm } from "../form.ts"
import { Field } from "../parts/field.tsx"
import { Form } from "../parts/form.tsx"
import { BUSY, done, goTo, page } from "../respond.ts"
import { forAnyone } from "../route.ts"
import { sessionCookie } from "../session-cookie.ts"
import { param, type Visit } from "../visit.ts"
import type { Refused } from "./account.tsx"

const PASSWORD_HINT = `At least ${PASSWORD_CHARACTERS_MIN} characters. A few words in a row are easy to keep in mind.`

interface Operator {
  readonly email: string
  readonly name: string
}

function setupPage(visit: Visit, typed: Operator, { errors, ...answer }: Refused = { errors: {} }): Response {
  return page(visit, {
    title: "Set up",
    ...answer,
    body: (
      <section class="card narrow">
        <h1>Welcome to Adbooth</h1>
        <p>You are the first one here. Make the account of the operator, the person who runs this installation.</p>
        <Form action={visit.url.pathname} submit="Create the account" errors={errors}>
          <Field name="name" label="Your name" value={typed.name} required autocomplete="name" errors={errors} />
          <Field
            name="email"
            label="E-mail"
            type="email"
            value={typed.email}
            required
            autocomplete="username"
            errors={errors}
            hint="You sign in with it. Nothing is ever sent to it."
          />
          <NewPassword errors={errors} />
        </Form>
      </section>
    ),
  })
}

function passwordPage(visit: Visit, who: Operator, { errors, ...answer }: Refused = { errors: {} }): Response {
  return page(visit, {
    title: "Choose a password",
    ...answer,
    body: (
      <section class="card narrow">
        <h1>Choose a password</h1>
        <p>
          For {who.name}, who signs in as <strong>{who.email}</strong>.
        </p>
        <Form action={visit.url.pathname} submit="Set the password" errors={errors}>
          <input type="hidden" name="username" value={who.email} autocomplete="username" />
          <NewPassword errors={errors} />
        </Form>
      </section>
    ),
  })
}

export function NewPassword({ errors }: { readonly errors: Errors }) {
  return (
    <Field
      name="password"
      label="Password"
      type="password"
      required
      autocomplete="new-password"
      errors={errors}
      hint={PASSWORD_HINT}
    />
  )
}

export function linkGone(visit: Visit): Response {
  return page(visit, {
    status: 404,
    title: "This link does not work",
    body: (
      <section class="empty">
        <h1>This link does not work</h1>
        <p>It was used already, or its time is over. Ask for a fresh one.</p>
      </section>
    ),
  })
}

async function takeSetup(visit: Visit): Promise<Response> {
  const form = await readForm(visit.request)
  const typed = { email: form.text("email"), name: form.text("name") }
  const errors = { ...personErrors(typed), ...passwordErrors(form) }
  if (!(await isOpen(visit, "setup"))) return linkGone(visit)
  if (Object.keys(errors).length > 0) return setupPage(visit, typed, { errors, status: 422 })
  const operator = { ...typed, password: form.raw("password") }
  const outcome = await claimSetupLink(visit.context, param(visit, "token"), operator, visitorOf(visit))
  if (outcome.outcome === "busy") return setupPage(visit, typed, BUSY)
  return afterClaim(visit, outcome, "Welcome. This installation is yours.")
}

async function takePassword(visit: Visit): Promise<Response> {
  const form = await readForm(visit.request)
  const link = await openLink(visit, "password")
  if (link === null || link.user === null) return linkGone(visit)
  const errors = passwordErrors(form)
  if (Object.keys(errors).length > 0) return passwordPage(visit, link.user, { errors, status: 422 })
  const password = form.raw("password")
  const outcome = await claimPasswordLink(visit.context, param(visit, "token"), password, visitorOf(visit))
  if (outcome.outcome === "busy") return passwordPage(visit, link.user, BUSY)
  return afterClaim(visit, outcome, "Your password is set.")
}

export function visitorOf(visit: Visit): LinkVisitor {
  return { caller: callerOf(visit), sessionHash: visit.sessionHash }
}

function afterClaim(visit: Visit, outcome: Exclude<LinkOutcome, { outcome: "busy" }>, text: string): Response {
  if (outcome.outcome === "invalid_link") return linkGone(visit)
  if (outcome.outcome === "sign_in") return goTo(visit, "/app/sign-in", done(`${text} Now sign in.`))
  return goTo(visit, "/app", done(text), [sessionCookie(visit, outcome.token)])
}

function passwordErrors(form: FormData): Errors {
  const problem = passwordProblem(form.raw("password"))
  return problem === undefined ? {} : { password: problem }
}

function openLink(visit: Visit, purpose: "setup" | "password") {
  return visit.context.store.linkClaims.find(hashToken(param(visit, "token")), purpose, visit.now)
}

async function isOpen(visit: Visit, purpose: "setup" | "password"): Promise<boolean> {
  return (await openLink(visit, purpose)) !== null
}

export const linkRoutes = [
  forAnyone("GET", "/app/setup/:token", async (visit) =>
    (await isOpen(visit, "setup")) ? setupPage(visit, { email: "", name: "" }) : linkGone(visit),
  ),
  forAnyone("POST", "/app/setup/:token", takeSetup),
  forAnyone("GET", "/app/password/:token", async (visit) => {
    const link = await openLink(visit, "password")
    return link === null || link.user === null ? linkGone(visit) : passwordPage(visit, link.user)
  }),
  forAnyone("POST", "/app/password/:token", takePassword),
]
