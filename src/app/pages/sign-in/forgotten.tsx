import { hasMail } from "../../../actions/mail.ts"
import { requestPasswordLink } from "../../../actions/people/links.ts"
import { FORGOTTEN_LINK_EVERY_MINUTES, FORGOTTEN_LINK_MINUTES } from "../../../domain/people/links.ts"
import { emailProblem } from "../../../domain/people/person.ts"
import { scopeOf } from "../../../http/scope.ts"
import type { FormOf } from "../../forms/form.ts"
import { page } from "../../page.tsx"
import { ButtonLink } from "../../parts/blocks.tsx"
import { Copyable } from "../../parts/copyable.tsx"
import { Field } from "../../parts/fields.tsx"
import { Form } from "../../parts/form.tsx"
import { waitFirst } from "../../session/proof.ts"
import type { Visit } from "../../visit.ts"

const TITLE = "Forgot your password?"

export const forgottenForm: FormOf<Visit, { readonly hasMail: boolean }> = {
  find: async ({ context }) => ({ hasMail: await hasMail(context) }),
  begin: () => ({ texts: {} }),
  view(visit, { hasMail }, form) {
    if (!hasMail) return withoutMailPage(visit)
    const body = (
      <Form action="/app/forgot-password" submit="Mail me a link" cancel="/app/sign-in">
        <Field name="email" label="Email" type="email" required autocomplete="username" />
      </Form>
    )
    return page(visit, { title: TITLE, intro: "We mail you a link to choose a new one.", isCard: true, form, body })
  },
  async save(visit, { hasMail }, { email = "" }) {
    if (!hasMail) return withoutMailPage(visit)
    const problem = emailProblem(email)
    if (problem !== undefined) return { errors: { email: problem } }
    const seconds = await requestPasswordLink(visit.context, email, scopeOf(visit.request).address)
    return seconds > 0 ? waitFirst(seconds, "email") : mailedPage(visit, email)
  },
}

/** The same whether or not there is such an account. */
const mailedPage = (visit: Visit, email: string): Response =>
  page(visit, {
    title: "Check your email",
    intro: (
      <>
        If <strong>{email}</strong> can sign in here, a link is on its way. It works once, within{" "}
        {FORGOTTEN_LINK_MINUTES} minutes. You get at most one every {FORGOTTEN_LINK_EVERY_MINUTES} minutes.
      </>
    ),
    isCard: true,
    body: (
      <div class="actions">
        <ButtonLink href="/app/sign-in" label="Back to sign-in" />
      </div>
    ),
  })

const withoutMailPage = (visit: Visit): Response =>
  page(visit, {
    title: TITLE,
    intro:
      "This server sends no mail yet. Its operator can make a link for you in the app, under All people, or with this command:",
    isCard: true,
    body: (
      <>
        <Copyable id="command" label="On the server" text="sudo adbooth user link EMAIL" />
        <Copyable id="container-command" label="In a container" text="docker exec adbooth /adbooth user link EMAIL" />
        <div class="actions">
          <ButtonLink href="/app/sign-in" label="Back to sign-in" />
        </div>
      </>
    ),
  })
