import { hasMail } from "../../../actions/mail.ts"
import { type Claimed, claimPasswordLink, claimSetupLink, requestPasswordLink } from "../../../actions/people/links.ts"
import { acceptInvitation } from "../../../actions/people/members.ts"
import { errorsIn, hasErrors } from "../../../domain/errors.ts"
import { passwordProblem } from "../../../domain/people/password.ts"
import { emailProblem, nameProblem } from "../../../domain/people/person.ts"
import { FORGOTTEN_LINK_EVERY_MINUTES, FORGOTTEN_LINK_MINUTES, hashToken } from "../../../domain/people/session.ts"
import { scopeOf } from "../../../http/request.ts"
import { linkThatWorks } from "../../../storage/people/sign-in.ts"
import { hasOperator, invitationByToken, type User, userById } from "../../../storage/people/users.ts"
import { goTo } from "../../flash.ts"
import type { FormOf, Remarks } from "../../forms/form.ts"
import { page } from "../../page.tsx"
import { ButtonLink, Copyable } from "../../parts/blocks.tsx"
import { Field } from "../../parts/fields.tsx"
import { Form } from "../../parts/form.tsx"
import { NewPassword } from "../../parts/people.tsx"
import { BUSY, browserOf, keepSession, waitFirst } from "../../session/session.ts"
import { LinkGone, type Visit } from "../../visit.ts"

const tokenOf = ({ params }: Visit) => params["token"] ?? ""

/** The link that the server prints until it has an operator. */
export const setupForm: FormOf<Visit, null> = {
  async find(visit) {
    const { read, now } = visit
    const link = { tokenHash: hashToken(tokenOf(visit)), purpose: "setup", now } as const
    if ((await hasOperator(read)) || (await linkThatWorks(read, link)) === null) throw new LinkGone()
    return null
  },
  view: () => ({
    title: "Welcome to Adbooth",
    intro: "You’re the first one here. Create the account of the operator, who runs this server.",
    isCard: true,
    body: (
      <Form submit="Create account">
        <Field name="name" label="Your name" required autocomplete="name" />
        <Field name="email" label="Email" type="email" hint="To sign in with." required autocomplete="username" />
        <NewPassword />
      </Form>
    ),
  }),
  async save(visit, _, { name = "", email = "", newPassword = "" }) {
    const errors = errorsIn({
      name: nameProblem(name),
      email: emailProblem(email),
      newPassword: passwordProblem(newPassword),
    })
    if (hasErrors(errors)) return { errors }
    const operator = { name, email, password: newPassword }
    const claimed = await claimSetupLink(visit.context, tokenOf(visit), operator, browserOf(visit))
    return afterClaim(visit, claimed, "Welcome. You’re the operator of this server.")
  },
}

/** The link that sets a new password. */
export const passwordLinkForm: FormOf<Visit, User> = {
  async find(visit) {
    const { read, now } = visit
    const link = await linkThatWorks(read, { tokenHash: hashToken(tokenOf(visit)), purpose: "password", now })
    const user = link?.userId == null ? null : await userById(read, link.userId)
    if (user === null) throw new LinkGone()
    return user
  },
  view: (_, { name, email }) => ({
    title: "Choose a password",
    intro: (
      <>
        For {name}, who signs in as <strong>{email}</strong>.
      </>
    ),
    isCard: true,
    body: (
      <Form submit="Set password">
        <input type="hidden" name="username" value={email} autocomplete="username" />
        <NewPassword />
      </Form>
    ),
  }),
  async save(visit, _, { newPassword = "" }) {
    const problem = passwordProblem(newPassword)
    if (problem !== undefined) return { errors: { newPassword: problem } }
    const claimed = await claimPasswordLink(visit.context, tokenOf(visit), newPassword, browserOf(visit))
    return afterClaim(visit, claimed, "Your password is set.")
  },
}

function afterClaim(visit: Visit, claimed: Claimed, text: string): Response | Remarks {
  if (claimed === "busy") return BUSY
  if (claimed === "gone") throw new LinkGone()
  if (claimed === "sign in") return goTo(visit, "/app/sign-in", `${text} Now sign in.`)
  const response = goTo(visit, "/app", text)
  keepSession(visit, response, claimed.token)
  return response
}

/** The page of an invitation, where a new person joins an organization. */
export const invitationForm: FormOf<Visit, NonNullable<Awaited<ReturnType<typeof invitationByToken>>>> = {
  async find(visit) {
    const invitation = await invitationByToken(visit.read, hashToken(tokenOf(visit)), visit.now)
    if (invitation === null) throw new LinkGone()
    return invitation
  },
  begin: (_, { name }) => ({ texts: { name } }),
  view: (_, { organization, email }) => ({
    title: `Join ${organization}`,
    intro: (
      <>
        Create an account for <strong>{email}</strong>. If you already have one on this server, ask its operator to add
        you instead.
      </>
    ),
    isCard: true,
    body: (
      <Form submit={`Join ${organization}`}>
        <Field name="name" label="Your name" required autocomplete="name" />
        <input type="hidden" name="username" value={email} autocomplete="username" />
        <NewPassword />
      </Form>
    ),
  }),
  async save(visit, { organization }, { name = "", newPassword = "" }) {
    const errors = errorsIn({ name: nameProblem(name), newPassword: passwordProblem(newPassword) })
    if (hasErrors(errors)) return { errors }
    const outcome = await acceptInvitation(visit.context, tokenOf(visit), { name, password: newPassword })
    if (outcome === "busy") return BUSY
    if (outcome === "gone") throw new LinkGone()
    return goTo(visit, "/app/sign-in", `You can sign in now. ${OLD_ACCOUNT} ${organization}.`)
  },
}

/** The answer is the same with and without an earlier account, so that strangers learn nothing. */
const OLD_ACCOUNT = "If you had an account before, its password stays, and the operator of this server can add you to"

const TITLE = "Forgot your password?"

export const forgottenForm: FormOf<Visit, boolean> = {
  find: ({ context }) => hasMail(context),
  view(visit, mails) {
    if (!mails) return withoutMailPage(visit)
    const body = (
      <Form submit="Mail me a link" cancel="/app/sign-in">
        <Field name="email" label="Email" type="email" required autocomplete="username" />
      </Form>
    )
    return { title: TITLE, intro: "We mail you a link to choose a new one.", isCard: true, body }
  },
  async save(visit, mails, { email = "" }) {
    if (!mails) return withoutMailPage(visit)
    const problem = emailProblem(email)
    if (problem !== undefined) return { errors: { email: problem } }
    const seconds = await requestPasswordLink(visit.context, email, scopeOf(visit.request).address)
    return seconds > 0 ? waitFirst(seconds, "email") : mailedPage(visit, email)
  },
}

const BACK = (
  <div class="actions">
    <ButtonLink href="/app/sign-in" label="Back to sign-in" />
  </div>
)

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
    body: BACK,
  })

const withoutMailPage = (visit: Visit): Response =>
  page(visit, {
    title: TITLE,
    intro:
      "This server doesn’t send mail yet. Its operator can make a link for you in the app, under All people, or with this command:",
    isCard: true,
    body: (
      <>
        <Copyable id="command" label="On the server" text="sudo adbooth user link EMAIL" />
        <Copyable id="container-command" label="In a container" text="docker exec adbooth /adbooth user link EMAIL" />
        {BACK}
      </>
    ),
  })
