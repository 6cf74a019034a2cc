import { testMail, withStoredPassword } from "../../../../actions/mail.ts"
import { choiceVersion, choose, mailInForce } from "../../../../actions/settings.ts"
import { type Errors, errorsIn, hasErrors } from "../../../../domain/errors.ts"
import type { MailChoice } from "../../../../domain/operations/mail.ts"
import { wholeNumber } from "../../../../domain/operations/setting-kinds.ts"
import { emailProblem } from "../../../../domain/people/person.ts"
import { goTo } from "../../../flash.ts"
import type { Texts } from "../../../forms/form.ts"
import { AskLink } from "../../../parts/blocks.tsx"
import { Select } from "../../../parts/choices.tsx"
import { Field } from "../../../parts/fields.tsx"
import type { SignedInVisit } from "../../../visit.ts"
import { offForm, SecretField, SetByOption, SYSTEM, serviceForm } from "./service.tsx"

const MAIL = `${SYSTEM}/mail`

const ENCRYPTION = [
  { value: "starttls", label: "STARTTLS (usually port 587)", scheme: "smtp", query: "" },
  { value: "implicit", label: "TLS (usually port 465)", scheme: "smtps", query: "" },
  { value: "none", label: "None", scheme: "smtp", query: "?tls=no" },
] as const

export const mailForm = serviceForm({
  title: "Mail",
  intro: "Invitations, links, alerts and answers to orders are mailed.",
  submit: "Send test and save",
  decided: ({ server: { from, value } }) =>
    from === "option" && value !== null ? (
      <SetByOption value={`${value.host}, port ${value.port}`} options="--smtp-file or ADBOOTH_SMTP" />
    ) : null,
  fields: ({ server: { value } }) => (
    <>
      <Field name="host" label="Server" hint="Such as smtp.example.com" required />
      <div class="cols">
        <Field name="port" label="Port" inputmode="numeric" required />
        <Select name="tls" label="Encryption" choices={ENCRYPTION} required />
        <Field name="user" label="User name" />
        <SecretField name="password" label="Password" isStored={value?.password != null} />
        <Field name="from" label="From address" type="email" required />
        <Field name="fromName" label="From name" required maxlength={100} />
      </div>
      <Field name="to" label="Send a test message to" type="email" required />
    </>
  ),
  buttons: ({ server: { from } }) =>
    from === "app" && <AskLink href={`${MAIL}/off`} label="Stop sending mail" about="Stop sending mail" />,
  async find({ context, read }: SignedInVisit) {
    const version = await choiceVersion(read, "secret.mail")
    return { server: await mailInForce(context), version }
  },
  begin: ({ user }, { server: { value }, version }) => ({
    texts: {
      host: value?.host ?? "",
      port: String(value?.port ?? 587),
      tls: value?.tls ?? "starttls",
      user: value?.user ?? "",
      from: value?.from ?? "",
      fromName: value?.fromName ?? "Adbooth",
      to: user.email,
    },
    version,
  }),
  async save(visit, _, texts, version) {
    const { context, actor } = visit
    const errors = problemsIn(texts)
    if (hasErrors(errors)) return { errors }
    const { host = "", to = "" } = texts
    const choice = choiceFrom(texts)
    const failed = await testMail(context, choice, to)
    if (failed !== null) return { errors: { host: `The test message wasn’t sent, so nothing was saved. ${failed}` } }
    const saved = await choose(context, actor, "secret.mail", await withStoredPassword(context, choice), version)
    if (saved === "changed") return saved
    return goTo(
      visit,
      SYSTEM,
      `Mail works: ${host} accepted the test message to ${to}. Look in the spam folder as well.`,
    )
  },
})

const HOST = /^[a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?$/i
const PORT = wholeNumber("port", 1, 65_535)

function problemsIn({ host = "", port = "", tls, user = "", from = "", fromName = "", to = "" }: Texts): Errors {
  return errorsIn({
    host: HOST.test(host) ? undefined : "Enter the name of a server, such as smtp.example.com.",
    port: PORT.read(port) === null ? "Enter a port from 1 to 65535. Most servers use 587." : undefined,
    tls: tlsProblem(tls, user),
    from: emailProblem(from),
    fromName: fromName === "" ? "Enter the name that people see." : undefined,
    to: emailProblem(to),
  })
}

function tlsProblem(tls: string | undefined, user: string): string | undefined {
  if (!ENCRYPTION.some(({ value }) => value === tls)) return "Choose a kind of encryption."
  return tls === "none" && user !== "" ? "A password is only sent over an encrypted connection." : undefined
}

/** The typed values in the form of the server option. */
function choiceFrom({
  host = "",
  port = "",
  tls,
  user = "",
  password = "",
  from = "",
  fromName = "",
}: Texts): MailChoice {
  const { scheme, query } = ENCRYPTION.find(({ value }) => value === tls) ?? ENCRYPTION[0]
  const signIn = user === "" ? "" : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`
  return { smtp: `${scheme}://${signIn}${host}:${port}${query}`, from, fromName }
}

export const mailOffForm = offForm({
  title: "Stop sending mail?",
  text: "Links are then shown, so that you can send them yourself. Alerts are no longer mailed.",
  submit: "Stop sending mail",
  cancel: MAIL,
  turnOff: ({ context, actor }) => choose(context, actor, "secret.mail", null),
  done: "Mail is off.",
})
