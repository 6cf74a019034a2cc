import {
  claimPasswordLink,
  claimSetupLink,
  type LinkOutcome,
  type LinkVisitor,
  passwordProblem,
} from "../../../actions/people/passwords.ts"
import { hashToken } from "../../../domain/keys/api-key.ts"
import { personErrors } from "../../../domain/people/user.ts"
import { type Errors, readForm } from "../form.ts"
import { Field, NewPassword } from "../parts/form/fields.tsx"
import { Form } from "../parts/form/form.tsx"
import { cardPage } from "../parts/page.tsx"
import { BUSY, done, goTo, page, type Refused } from "../respond.ts"
import { forAnyone } from "../route.ts"
import { callerOf, param, signedInCookies, type Visit } from "../visit.ts"

type Operator = Readonly<{ email: string; name: string }>

function setupPage(visit: Visit, typed: Operator, { errors, ...answer }: Refused = { errors: {} }): Response {
  return cardPage(visit, {
    title: "Set up",
    ...answer,
    heading: "Welcome to Adbooth",
    text: "You are the first one here. Create the account of the operator, who runs this server.",
    body: (
      <Form action={visit.url.pathname} submit="Create account" values={typed} errors={errors}>
        <Field name="name" label="Your name" required autocomplete="name" />
        <Field
          name="email"
          label="Email"
          type="email"
          required
          autocomplete="username"
          hint="You sign in with it. We never send email to it."
        />
        <NewPassword />
      </Form>
    ),
  })
}

function passwordPage(visit: Visit, who: Operator, { errors, ...answer }: Refused = { errors: {} }): Response {
  return cardPage(visit, {
    title: "Choose a password",
    ...answer,
    text: (
      <>
        For {who.name}, who signs in as <strong>{who.email}</strong>.
      </>
    ),
    body: (
      <Form action={visit.url.pathname} submit="Set password" errors={errors}>
        <input type="hidden" name="username" value={who.email} autocomplete="username" />
        <NewPassword />
      </Form>
    ),
  })
}

export function linkGone(visit: Visit): Response {
  return page(visit, {
    status: 404,
    title: "This link does not work",
    body: (
      <section class="empty">
        <h1>This link does not work</h1>
        <p>It has been used already, or it has expired. Ask for a new one.</p>
      </section>
    ),
  })
}

async function submitSetup(visit: Visit): Promise<Response> {
  const form = await readForm(visit.request)
  const typed = form.texts("email", "name")
  const password = form.raw("password")
  const errors = { ...personErrors(typed), ...passwordErrors(password) }
  if ((await openLink(visit, "setup")) === null) return linkGone(visit)
  if (Object.keys(errors).length > 0) return setupPage(visit, typed, { errors })
  const outcome = await claimSetupLink(visit.context, param(visit, "token"), { ...typed, password }, visitorOf(visit))
  if (outcome.outcome === "busy") return setupPage(visit, typed, BUSY)
  return afterClaim(visit, outcome, "Welcome. This installation is yours.")
}

async function submitPassword(visit: Visit): Promise<Response> {
  const password = (await readForm(visit.request)).raw("password")
  const link = await openLink(visit, "password")
  if (link === null || link.user === null) return linkGone(visit)
  const errors = passwordErrors(password)
  if (Object.keys(errors).length > 0) return passwordPage(visit, link.user, { errors })
  const outcome = await claimPasswordLink(visit.context, param(visit, "token"), password, visitorOf(visit))
  if (outcome.outcome === "busy") return passwordPage(visit, link.user, BUSY)
  return afterClaim(visit, outcome, "Your password has been set.")
}

export function visitorOf(visit: Visit): LinkVisitor {
  return { caller: callerOf(visit), sessionHash: visit.sessionHash }
}

async function afterClaim(
  visit: Visit,
  outcome: Exclude<LinkOutcome, { outcome: "busy" }>,
  text: string,
): Promise<Response> {
  if (outcome.outcome === "invalid_link") return linkGone(visit)
  if (outcome.outcome === "sign_in") return goTo(visit, "/app/sign-in", done(`${text} Now sign in.`))
  return goTo(visit, "/app", done(text), await signedInCookies(visit, outcome))
}

export function passwordErrors(password: string): Errors {
  const problem = passwordProblem(password)
  return problem === undefined ? {} : { password: problem }
}

function openLink(visit: Visit, purpose: "setup" | "password") {
  return visit.context.store.linkClaims.find(hashToken(param(visit, "token")), purpose, visit.now)
}

export const linkRoutes = [
  forAnyone("GET", "/app/setup/:token", async (visit) =>
    (await openLink(visit, "setup")) === null ? linkGone(visit) : setupPage(visit, { email: "", name: "" }),
  ),
  forAnyone("POST", "/app/setup/:token", submitSetup),
  forAnyone("GET", "/app/password/:token", async (visit) => {
    const link = await openLink(visit, "password")
    return link === null || link.user === null ? linkGone(visit) : passwordPage(visit, link.user)
  }),
  forAnyone("POST", "/app/password/:token", submitPassword),
]
