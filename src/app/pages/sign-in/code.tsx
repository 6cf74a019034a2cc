import { signInWithCode } from "../../../actions/people/sign-in.ts"
import { CODE_MINUTES } from "../../../domain/people/links.ts"
import { goTo } from "../../flash.ts"
import { type FormOf, newState, type Texts } from "../../form.ts"
import { page } from "../../page.tsx"
import { Field } from "../../parts/fields.tsx"
import { Form, Hidden } from "../../parts/form.tsx"
import { cookieOf, removeCookie, setCookie } from "../../session/cookies.ts"
import { refusal } from "../../session/proof.ts"
import { browserOf } from "../../session/session.ts"
import type { Visit } from "../../visit.ts"
import { enter } from "./sign-in.tsx"

/** Proves that the password was right, until the code is typed. */
const CODE_COOKIE = "adbooth_code"

export const codeForm: FormOf<Visit, null> = {
  find: async () => null,
  begin: ({ url }) => ({ texts: { next: url.searchParams.get("next") ?? "", kept: "" } }),
  view: (visit, _, form) =>
    page(visit, {
      title: "Enter your code",
      intro: "The six digits that your authenticator app shows, or one of your recovery codes.",
      isCard: true,
      form,
      body: (
        <Form action="/app/sign-in/code" submit="Continue" cancel="/app/sign-in">
          <Hidden name="next" />
          <Hidden name="kept" />
          <Field name="otp" label="Code" required autocomplete="one-time-code" />
        </Form>
      ),
    }),
  async save(visit, _, texts) {
    const proof = { codeToken: cookieOf(visit, CODE_COOKIE), code: texts["otp"] ?? "" }
    const outcome = await signInWithCode(visit.context, proof, browserOf(visit))
    if (outcome.outcome === "expired") return goTo(visit, "/app/sign-in", "That took too long. Please sign in again.")
    if (outcome.outcome !== "signed in")
      return refusal(outcome, { otp: "This code is wrong. Codes change every 30 seconds." })
    const response = await enter(visit, texts, outcome.token)
    removeCookie(visit, response, CODE_COOKIE)
    return response
  },
}

/** The second step of a sign-in. A kept form is too long for an address, so it's in the page. */
export async function askForCode(visit: Visit, { next = "", kept = "" }: Texts, codeToken: string): Promise<Response> {
  const response = await codeForm.view(visit, null, newState({ next, kept }))
  setCookie(visit, response, CODE_COOKIE, codeToken, CODE_MINUTES * 60)
  return response
}
