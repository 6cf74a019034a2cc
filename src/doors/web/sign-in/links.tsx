import { acceptInvitation } from "../../../actions/people/invitations.ts"
import type { LinkOutcome, LinkVisitor } from "../../../actions/people/passwords.ts"
import { claimPasswordLink, claimSetupLink, passwordProblem } from "../../../actions/people/passwords.ts"
import { hashToken } from "../../../domain/keys/api-key.ts"
import { nameErrors } from "../../../domain/people/organization.ts"
import { personErrors } from "../../../domain/people/user.ts"
import type { OpenInvitation } from "../../../storage/port/store.ts"
import { type Errors, readForm } from "../form.ts"
import { forAnyone, withFound } from "../guards.ts"
import { ButtonLink } from "../parts/blocks.tsx"
import { Field, Form, NewPassword } from "../parts/form/form.tsx"
import { BUSY, cardPage, done, goTo, headedPage, page, type Refused } from "../respond.tsx"
import { callerOf, param, signedInCookies, type Visit } from "../visit.ts"

type Operator = Readonly<{ email: string; name: string }>

const setupPage = (visit: Visit, typed: Operator, { errors, ...answer }: Refused = { errors: {} }): Response =>
  cardPage(visit, {
    title: "Set up",
    ...answer,
    heading: "Welcome to Adbooth",
    text: "You are the first one here. Create the account that runs this server, the operator’s.",
    body: (
      <Form action={visit.url.pathname} submit="Create account" values={typed} errors={errors}>
        <Field name="name" label="Your name" required autocomplete="name" />
        <Field name="email" label="Email" type="email" required autocomplete="username" hint="For signing in." />
        <NewPassword />
      </Form>
    ),
  })

const passwordPage = (visit: Visit, who: Operator, { errors, ...answer }: Refused = { errors: {} }): Response =>
  cardPage(visit, {
    title: "Choose a password",
    ...answer,
    text: [`For ${who.name}, who signs in as `, <strong>{who.email}</strong>, "."],
    body: (
      <Form action={visit.url.pathname} submit="Set password" errors={errors}>
        <input type="hidden" name="username" value={who.email} autocomplete="username" />
        <NewPassword />
      </Form>
    ),
  })

const linkGone = (visit: Visit): Response =>
  page(visit, {
    status: 404,
    title: "This link does not work",
    body: (
      <section class="empty">
        <h1>This link does not work</h1>
        <p>It has been used already, or it has expired. Ask for a new one.</p>
      </section>
    ),
  })

async function submitSetup(visit: Visit): Promise<Response> {
  const form = await readForm(visit.request)
  const typed = form.texts("email", "name")
  const password = form.raw("password")
  const errors = { ...personErrors(typed), ...passwordErrors(password) }
  if (Object.keys(errors).length > 0) return setupPage(visit, typed, { errors })
  const outcome = await claimSetupLink(visit.context, param(visit, "token"), { ...typed, password }, visitorOf(visit))
  if (outcome.outcome === "busy") return setupPage(visit, typed, BUSY)
  return afterClaim(visit, outcome, "Welcome. This installation is yours.")
}

async function submitPassword(visit: Visit, who: Operator): Promise<Response> {
  const password = (await readForm(visit.request)).raw("password")
  const errors = passwordErrors(password)
  if (Object.keys(errors).length > 0) return passwordPage(visit, who, { errors })
  const outcome = await claimPasswordLink(visit.context, param(visit, "token"), password, visitorOf(visit))
  if (outcome.outcome === "busy") return passwordPage(visit, who, BUSY)
  return afterClaim(visit, outcome, "Your password has been set.")
}

const visitorOf = (visit: Visit): LinkVisitor => ({ caller: callerOf(visit), sessionHash: visit.sessionHash })

async function afterClaim(visit: Visit, outcome: Exclude<LinkOutcome, { outcome: "busy" }>, text: string) {
  if (outcome.outcome === "invalid_link") return linkGone(visit)
  if (outcome.outcome === "sign_in") return goTo(visit, "/app/sign-in", done(`${text} Now sign in.`))
  return goTo(visit, "/app", done(text), await signedInCookies(visit, outcome))
}

function passwordErrors(password: string): Errors {
  const problem = passwordProblem(password)
  return problem === undefined ? {} : { password: problem }
}

const findLink = (visit: Visit, purpose: "setup" | "password") =>
  visit.context.store.linkClaims.find(hashToken(param(visit, "token")), purpose, visit.now)
const findSetup = (visit: Visit) => findLink(visit, "setup")
const findUser = async (visit: Visit) => (await findLink(visit, "password"))?.user

const findInvitation = (visit: Visit) =>
  visit.context.store.invitations.find(hashToken(param(visit, "token")), visit.now)

/** What the link shows. Only the operator's is another one where the address has an account. */
function invitationPage(visit: Visit, invitation: OpenInvitation): Response {
  const { name, email, addsAccount } = invitation
  if (visit.person !== null && visit.person.email !== email) return otherPersonPage(visit, invitation)
  if (addsAccount) return addedPage(visit, invitation)
  return visit.person === null ? newcomerPage(visit, invitation, name) : operatorsPage(visit, invitation)
}

const operatorsPage = (visit: Visit, { organization }: OpenInvitation, status = 200): Response =>
  cardPage(visit, {
    title: `Join ${organization.name}`,
    status,
    heading: `Ask the operator to join ${organization.name}`,
    text: `You have an account already. ${ONLY_OPERATOR}`,
    body: (
      <p>
        <ButtonLink href="/app" label="Continue" />
      </p>
    ),
  })

const ONLY_OPERATOR = "Only the operator of this server adds an account to another organization. Ask them for a link."

const addedPage = (
  visit: Visit,
  { organization, role, email }: OpenInvitation,
  { errors, ...answer }: Refused = { errors: {} },
): Response =>
  cardPage(visit, {
    title: `Join ${organization.name}`,
    ...answer,
    heading: `Join ${organization.name}?`,
    text: [
      `The operator adds your account to ${organization.name}, as ${role === "admin" ? "an admin" : "a member"}. Choose a new password for `,
      <strong>{email}</strong>,
      ". You are then signed out everywhere else.",
    ],
    body: (
      <Form action={visit.url.pathname} submit="Set password and join" errors={errors}>
        <input type="hidden" name="username" value={email} autocomplete="username" />
        <NewPassword />
      </Form>
    ),
  })

const otherPersonPage = (visit: Visit, { email }: OpenInvitation, status = 200): Response =>
  cardPage(visit, {
    title: "For someone else",
    status,
    heading: "This invitation is for someone else",
    text: [
      "It is for ",
      <strong>{email}</strong>,
      `, and you are signed in as ${visit.person?.email}. Sign out, then open the link again.`,
    ],
    body: <Form action="/app/sign-out" submit="Sign out" cancel="/app" />,
  })

const newcomerPage = (
  visit: Visit,
  { organization, email }: OpenInvitation,
  name: string,
  { errors, ...answer }: Refused = { errors: {} },
): Response =>
  headedPage(visit, {
    title: `Join ${organization.name}`,
    ...answer,
    intro: (
      <p class="soft">
        You are invited as <strong>{email}</strong>.
      </p>
    ),
    body: (
      <div class="cols">
        <section class="card">
          <h2>New here?</h2>
          <Form action={visit.url.pathname} submit="Create account and join" values={{ name }} errors={errors}>
            <input type="hidden" name="username" value={email} autocomplete="username" />
            <Field name="name" label="Your name" required autocomplete="name" />
            <NewPassword />
          </Form>
        </section>
        <section class="card">
          <h2>Already have an account?</h2>
          <p class="soft">{ONLY_OPERATOR}</p>
        </section>
      </div>
    ),
  })

async function accept(visit: Visit, invitation: OpenInvitation): Promise<Response> {
  const { name, email, addsAccount } = invitation
  if (visit.person !== null && visit.person.email !== email) return otherPersonPage(visit, invitation, 409)
  if (visit.person !== null && !addsAccount) return operatorsPage(visit, invitation, 409)
  const form = await readForm(visit.request)
  const person = { name: addsAccount ? name : form.text("name"), password: form.raw("password") }
  const again = (refused: Refused) =>
    addsAccount ? addedPage(visit, invitation, refused) : newcomerPage(visit, invitation, person.name, refused)
  const errors = { ...nameErrors("name", person.name), ...passwordErrors(person.password) }
  if (Object.keys(errors).length > 0) return again({ errors })
  const accepted = await acceptInvitation(visit.context, param(visit, "token"), person, visitorOf(visit))
  if (accepted.outcome === "signed_in") return joined(visit, invitation, await signedInCookies(visit, accepted))
  if (accepted.outcome === "sign_in")
    return goTo(visit, "/app/sign-in", done("Your password has been set. Now sign in."))
  if (accepted.outcome === "busy") return again(BUSY)
  return accepted.outcome === "has account" ? again({ errors: { "": HAS_ACCOUNT } }) : linkGone(visit)
}

function joined(visit: Visit, { organization }: OpenInvitation, cookies: readonly string[] = []): Response {
  const home = `/app/o/${organization.slug}`
  const said = done(`You have joined ${organization.name}.`, `${home}/campaigns`, "See the campaigns")
  return goTo(visit, home, said, cookies)
}

const HAS_ACCOUNT = `There is already an account with this email address. ${ONLY_OPERATOR}`

const showSetup = (visit: Visit) => setupPage(visit, { email: "", name: "" })

export const linkRoutes = [
  forAnyone("GET", "/app/setup/:token", withFound(findSetup, showSetup, linkGone)),
  forAnyone("POST", "/app/setup/:token", withFound(findSetup, submitSetup, linkGone)),
  forAnyone("GET", "/app/password/:token", withFound(findUser, passwordPage, linkGone)),
  forAnyone("POST", "/app/password/:token", withFound(findUser, submitPassword, linkGone)),
  forAnyone("GET", "/app/invitation/:token", withFound(findInvitation, invitationPage, linkGone)),
  forAnyone("POST", "/app/invitation/:token", withFound(findInvitation, accept, linkGone)),
]
