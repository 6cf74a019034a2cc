import { changePassword, confirmPassword, passwordProblem, type Unproven } from "../../../actions/people/passwords.ts"
import { callerOf } from "../client-address.ts"
import { type Errors, readForm } from "../form.ts"
import { Badge } from "../parts/badge.tsx"
import { ButtonLink } from "../parts/button-link.tsx"
import { Form } from "../parts/form/form.tsx"
import { CurrentPassword, NewPassword } from "../parts/form/password-fields.tsx"
import { headedPage } from "../parts/page-kinds.tsx"
import { BUSY, done, goTo } from "../respond.ts"
import { forSignedIn } from "../route.ts"
import type { PersonVisit } from "../visit.ts"

async function accountPage(visit: PersonVisit, { errors, ...answer }: Refused = { errors: {} }): Promise<Response> {
  const { person } = visit
  const codesLeft = await visit.context.store.twoFactor.recoveryCodesLeft(person.userId)
  return headedPage(visit, {
    title: "Your account",
    active: "/app/account",
    intro: `${person.name}, ${person.email}`,
    ...answer,
    body: (
      <div class="cols">
        <section class="card">
          <h2>Password</h2>
          <Form action="/app/account/password" submit="Change password" errors={errors}>
            <CurrentPassword name="current" label="Current password" />
            <NewPassword name="wanted" label="New password" hint="You will be signed out everywhere else." />
          </Form>
        </section>
        <section class="card">
          <h2>Two-factor codes {person.hasTotp ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>}</h2>
          <p class="soft">
            {person.hasTotp
              ? `An app on your phone confirms that it is you. You have ${codesLeft} recovery codes left.`
              : "With an app on your phone, a stolen password is not enough to sign in."}
          </p>
          <p>
            {person.hasTotp ? (
              <ButtonLink href="/app/account/two-factor/off" label="Turn off" />
            ) : (
              <ButtonLink href="/app/account/two-factor" label="Turn on" />
            )}
          </p>
        </section>
        <section class="card">
          <h2>Sessions</h2>
          <p class="soft">Lost a device, or used someone else's? End every session, including this one.</p>
          <p>
            <ButtonLink href="/app/account/sessions" label="Show sessions" />
          </p>
          <Form action="/app/sign-out/everywhere" submit="Sign out everywhere" />
        </section>
      </div>
    ),
  })
}

async function submitPassword(visit: PersonVisit): Promise<Response> {
  const form = await readForm(visit.request)
  const wanted = form.raw("wanted")
  const problem = passwordProblem(wanted)
  if (problem !== undefined) return accountPage(visit, { errors: { wanted: problem } })
  const changed = await changePassword(visit.context, {
    userId: visit.person.userId,
    password: form.raw("current"),
    wanted,
    caller: callerOf(visit),
    keepTokenHash: visit.sessionHash,
  })
  if (changed === "done") return goTo(visit, "/app/account", done("Your password has been changed."))
  return accountPage(visit, refusedProof("current", changed))
}

/** Why a form is shown again. */
export interface Refused {
  readonly errors: Errors
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Why the password that a form was sent with is not accepted; null when it is right. For what a stolen session must not do. */
export async function unprovenPassword(visit: PersonVisit): Promise<Refused | null> {
  const password = (await readForm(visit.request)).raw("password")
  const { userId } = visit.person
  const proof = await confirmPassword(visit.context, { userId, password, caller: callerOf(visit) })
  return proof === "right" ? null : refusedProof("password", proof)
}

/** The password in the field of this name was not accepted. */
export function refusedProof(field: string, why: Unproven): Refused {
  if (why === "busy") return BUSY
  if (why === "wrong") return { errors: { [field]: "This is the wrong password." } }
  const { waitSeconds } = why
  const errors = { [field]: `Too many wrong attempts. Please wait ${waitSeconds} s, then try again.` }
  return { errors, status: 429, headers: { "Retry-After": String(waitSeconds) } }
}

export const accountRoutes = [
  forSignedIn("GET", "/app/account", (visit) => accountPage(visit)),
  forSignedIn("POST", "/app/account/password", submitPassword),
]
