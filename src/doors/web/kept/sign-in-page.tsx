import type { Refused } from "../pages/account.tsx"
import { Banner } from "../parts/banner.tsx"
import { Field } from "../parts/form/field.tsx"
import { Form, HiddenInputs } from "../parts/form/form.tsx"
import { CurrentPassword } from "../parts/form/password-fields.tsx"
import { cardPage } from "../parts/page-kinds.tsx"
import type { Visit } from "../visit.ts"
import { type KeptForm, writeKept } from "./kept-form.ts"

export interface SignInTyped extends Partial<Refused> {
  readonly email?: string
  readonly next: string
  /** What was typed elsewhere when the session ended. */
  readonly kept?: KeptForm | null | undefined
}

export function signInPage(visit: Visit, { email = "", next, kept = null, errors, ...answer }: SignInTyped): Response {
  return cardPage(visit, {
    title: "Sign in",
    ...answer,
    body: (
      <>
        {kept !== null && errors === undefined && <SessionEnded />}
        <Form action="/app/sign-in" submit="Sign in" values={{ email }} errors={errors} multipart={kept !== null}>
          <HiddenInputs values={{ next, ...keptInput(kept) }} />
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
        {visit.url.host} · <a href="/docs">Guides and API reference</a>
      </p>
    ),
  })
}

// Sent as it is, it is not longer than the form that was kept; escaped for an address it would be.
export const keptInput = (kept: KeptForm | null): Record<string, string> =>
  kept === null ? {} : { kept: writeKept(kept) }

function SessionEnded() {
  return (
    <Banner tone="warn" live>
      <p>Your session has ended. Sign in again to get back to what you typed: it is not lost.</p>
    </Banner>
  )
}

/** Instead of a page that needs a session: the form that was sent is kept. */
export const signInAndKeep = (visit: Visit, kept: KeptForm): Response => signInPage(visit, { next: "/app", kept })
