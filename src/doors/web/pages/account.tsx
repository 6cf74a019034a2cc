import { changePassword, type Unproven } from "../../../actions/people/change-password.ts"
import { passwordProblem } from "../../../actions/people/set-password.ts"
import { callerOf } from "../client-address.ts"
import { type Errors, readForm } from "../form.ts"
import { Field } from "../parts/field.tsx"
import { Form } from "../parts/form.tsx"
import { Badge, Heading } from "../parts/widgets.tsx"
import { BUSY, done, goTo, page } from "../respond.ts"
import { forSignedIn } from "../route.ts"
import type { PersonVisit } from "../visit.ts"

async function accountPage(visit: PersonVisit, { errors, ...answer }: Refused = { errors: {} }): Promise<Response> {
  const { person } = visit
  const codesLeft = await visit.context.store.twoFactor.recoveryCodesLeft(person.userId)
  return page(visit, {
    title: "Your account",
    active: "/app/account",
    status: Object.keys(errors).length > 0 ? 422 : 200,
    ...answer,
    body: (
      <>
        <Heading title="Your account">
          <p class="soft">
            {person.name}, {person.email}
          </p>
        </Heading>
        <div class="columns">
          <section class="card">
            <h2>Password</h2>
            <Form action="/app/account/password" submit="Change the password" errors={errors}>
              <Field
                name="current"
                label="Current password"
                type="password"
                required
                autocomplete="current-password"
                errors={errors}
              />
              <Field
                name="wanted"
                label="New password"
                type="password"
                required
                autocomplete="new-password"
                errors={errors}
                hint="Everywhere else you will be signed out."
              />
            </Form>
          </section>
          <section class="card">
            <h2>Two-factor codes {person.hasTotp ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>}</h2>
            <p class="soft">
              {person.hasTotp
                ? `An app on your phone confirms that it is you. You have ${codesLeft} recovery codes left.`
                : "With an app on your phone, a stolen password alone opens nothing."}
            </p>
            <p>
              <a class="button" href={person.hasTotp ? "/app/account/two-factor/off" : "/app/account/two-factor"}>
                {person.hasTotp ? "Turn off" : "Turn on"}
              </a>
            </p>
          </section>
          <section class="card">
            <h2>Sessions</h2>
            <p class="soft">Lost a device, or used somebody else's? End every session, this one included.</p>
            <Form action="/app/sign-out/everywhere" submit="Sign out everywhere" />
          </section>
        </div>
      </>
    ),
  })
}

async function takePassword(visit: PersonVisit): Promise<Response> {
  const form = await readForm(visit.request)
  const wanted = form.raw("wanted")
  const problem = passwordProblem(wanted)
  if (problem !== undefined) return accountPage(visit, { errors: { wanted: problem } })
  const { userId } = visit.person
  const changed = await changePassword(visit.context, {
    userId,
    password: form.raw("current"),
    wanted,
    caller: callerOf(visit),
    keepTokenHash: visit.sessionHash,
  })
  if (changed === "done") return goTo(visit, "/app/account", done("Your password is changed."))
  return accountPage(visit, refusedProof("current", changed))
}

/** How a form comes back that was not taken. */
export interface Refused {
  readonly errors: Errors
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A form whose password, in the field of this name, did not do. */
export function refusedProof(field: string, why: Unproven): Refused {
  if (why === "busy") return BUSY
  if (why === "wrong") return { errors: { [field]: "This is not your password." } }
  const { waitSeconds } = why
  const errors = { [field]: `That was wrong too often. Please wait ${waitSeconds} s, then try again.` }
  return { errors, status: 429, headers: { "Retry-After": String(waitSeconds) } }
}

export const accountRoutes = [
  forSignedIn("GET", "/app/account", (visit) => accountPage(visit)),
  forSignedIn("POST", "/app/account/password", takePassword),
]
