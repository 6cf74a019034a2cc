import { requestPasswordLink } from "../../../actions/people/one-time-links.ts"
import { FORGOTTEN_LINK_EVERY_MINUTES, FORGOTTEN_LINK_MINUTES } from "../../../domain/people/user.ts"
import { type Errors, readForm } from "../form.ts"
import { FORGOTTEN } from "../frame/navigation.ts"
import { forAnyone } from "../guards.ts"
import { ButtonLink, Copyable } from "../parts/blocks.tsx"
import { Field, Form } from "../parts/form/form.tsx"
import { formatCount } from "../parts/format.tsx"
import { cardPage, type Refused } from "../respond.tsx"
import { callerOf, type Visit } from "../visit.ts"

const TITLE = "Forgot your password?"
// Well after the answer: at once, the link would be stored before it, and the time that takes would tell that there is an account.
const MAILED_AFTER_MS = 1_000
const BACK = (
  <p>
    <a href="/app/sign-in">Back to sign-in</a>
  </p>
)

async function show(visit: Visit): Promise<Response> {
  return (await visit.context.mail.inForce()) === null ? withoutMailPage(visit) : formPage(visit, "")
}

const formPage = (visit: Visit, email: string, { errors, ...answer }: Refused = { errors: {} as Errors }): Response =>
  cardPage(visit, {
    title: TITLE,
    ...answer,
    text: "A link to choose a new one is mailed to you.",
    body: [
      <Form action={FORGOTTEN} submit="Mail me a link" values={{ email }} errors={errors}>
        <Field name="email" label="Email" type="email" required autocomplete="username" />
      </Form>,
      BACK,
    ],
  })

/** The operator has the server. Everybody else has an admin. */
const withoutMailPage = (visit: Visit): Response =>
  cardPage(visit, {
    title: TITLE,
    text: "An admin of your organization can send you a link: People, then your name. This server sends no mail yet, so whoever runs it makes a link with this command:",
    body: [
      <Copyable id="service-command" label="As a service" text="sudo adbooth user link EMAIL" />,
      <Copyable id="container-command" label="In a container" text="docker exec adbooth /adbooth user link EMAIL" />,
      <p class="hint">Elsewhere: the same command with the --data of the server. Mail is set up in the app: System.</p>,
      BACK,
    ],
  })

async function request(visit: Visit): Promise<Response> {
  const email = (await readForm(visit.request)).text("email")
  if ((await visit.context.mail.inForce()) === null) return withoutMailPage(visit)
  if (!email.includes("@")) return formPage(visit, email, { errors: { email: "Enter your email address." } })
  const { waitSeconds, letter } = await requestPasswordLink(visit.context, email, callerOf(visit))
  if (waitSeconds > 0) return formPage(visit, email, tooMany(waitSeconds))
  const mail = () => mailTo(visit, letter).catch((cause) => visit.context.log.error("password link not mailed", cause))
  setTimeout(mail, MAILED_AFTER_MS)
  return cardPage(visit, {
    title: "Check your email",
    text: [
      "If ",
      <strong>{email}</strong>,
      ` can sign in here, a link is on its way. It works once, within ${formatCount(FORGOTTEN_LINK_MINUTES, "minute")}. There is a new one every ${FORGOTTEN_LINK_EVERY_MINUTES} minutes at most.`,
    ],
    body: <ButtonLink href="/app/sign-in" label="Back to sign-in" />,
  })
}

const tooMany = (seconds: number): Refused => ({
  status: 429,
  errors: { email: `Too many requests. Please wait ${formatCount(seconds, "second")}, then try again.` },
  headers: { "Retry-After": `${seconds}` },
})

async function mailTo({ context, url }: Visit, letter: Awaited<ReturnType<typeof requestPasswordLink>>["letter"]) {
  const link = await letter()
  if (link === null) return
  await context.mail.send({
    to: link.email,
    subject: "Adbooth: choose a new password",
    text: `Hello ${link.name},\n\nthis link lets you choose a new password:\n\n${context.mailOrigin(url)}${link.path}\n\nIt works once, within ${FORGOTTEN_LINK_MINUTES} minutes. If you did not ask for it, ignore it: your password stays as it is.\n`,
  })
}

export const forgottenRoutes = [forAnyone("GET", FORGOTTEN, show), forAnyone("POST", FORGOTTEN, request)]
