import { changePassword } from "../../../actions/change-password.ts"
import { passwordProblem } from "../../../actions/set-password.ts"
import { type Errors, readForm } from "../form.ts"
import { Badge, Heading } from "../parts/bits.tsx"
import { Field } from "../parts/field.tsx"
import { Form } from "../parts/form.tsx"
import { done, goTo, page } from "../respond.ts"
import { forSignedIn } from "../route.ts"
import type { PersonVisit } from "../visit.ts"

async function accountPage(visit: PersonVisit, errors: Errors = {}): Promise<Response> {
  const { person } = visit
  const codesLeft = await visit.context.store.twoFactor.recoveryCodesLeft(person.userId)
  return page(visit, {
    title: "Your account",
    active: "/app/account",
    status: Object.keys(errors).length > 0 ? 422 : 200,
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
  if (problem !== undefined) return accountPage(visit, { wanted: problem })
  const { userId } = visit.person
  const changed = await changePassword(visit.context, {
    userId,
    current: form.raw("current"),
    wanted,
    keptHash: visit.sessionHash,
  })
  if (changed === "done") return goTo(visit, "/app/account", done("Your password is changed."))
  return accountPage(visit, { current: changed === "wrong" ? "This is not your password." : waitText(changed) })
}

export function waitText({ waitSeconds }: { readonly waitSeconds: number }): string {
  return `That was wrong too often. Please wait ${waitSeconds} s, then try again.`
}

export const accountRoutes = [
  forSignedIn("GET", "/app/account", (visit) => accountPage(visit)),
  forSignedIn("POST", "/app/account/password", takePassword),
]
