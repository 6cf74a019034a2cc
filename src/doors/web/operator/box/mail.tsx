import { chooseMail, mailNote } from "../../../../actions/operations/services.ts"
import { mailAdvice, TEST_LETTER } from "../../../../domain/operations/mail.ts"
import { readEmailAddress } from "../../../../domain/operations/service-settings.ts"
import { readNumber } from "../../../../domain/text/typed-number.ts"
import { timeInUtc } from "../../../../domain/time/time-zone.ts"
import { SYSTEM } from "../../frame/navigation.ts"
import { PostButton } from "../../parts/blocks.tsx"
import { Select } from "../../parts/form/choices.tsx"
import { Field } from "../../parts/form/form.tsx"
import { done, problem } from "../../respond.tsx"
import type { PersonVisit } from "../../visit.ts"
import { SecretField, ServiceCard, type ServiceState, serviceRoutes } from "./service.tsx"

const PAGE = `${SYSTEM}/mail`

const OFF = "Invitations, alerts and answers to orders aren’t emailed. You copy the links and send them yourself."

async function stateOf({ context: { mail, store } }: PersonVisit): Promise<ServiceState> {
  const place = await mail.inForce()
  if (place === null) return { is: "off", text: OFF }
  const note = await mailNote(store)
  const last = note?.sentAt ? `Last message ${timeInUtc(note.sentAt)}` : "No message yet"
  if (note?.problem) {
    const meanwhile = `${last}. Links are still shown, so that you can send them yourself.`
    return { is: "broken", problem: note.problem, advice: mailAdvice(note.problem), meanwhile }
  }
  return {
    is: "working",
    facts: [
      [place.from, `By ${place.host}, port ${place.port}`],
      [last, note?.sentAt ? "Accepted by the server" : "Try it with a test message"],
    ],
  }
}

export async function mailCard(visit: PersonVisit) {
  const state = await stateOf(visit)
  return (
    <ServiceCard title="Mail" state={state} form={{ href: PAGE, label: "Set up mail" }}>
      {state.is !== "off" && <PostButton small action={`${PAGE}/test`} label="Send a test message" />}
    </ServiceCard>
  )
}

const ENCRYPTION = [
  { value: "starttls", label: "STARTTLS", scheme: "smtp", query: "" },
  { value: "implicit", label: "TLS", scheme: "smtps", query: "" },
  { value: "none", label: "None", scheme: "smtp", query: "?tls=no" },
] as const

const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i

const ADDRESS_NEEDED = "Enter an email address, such as me@example.com."

export const mailRoutes = serviceRoutes({
  page: PAGE,
  title: "Set up mail",
  submit: "Send test and save",
  async pinned({ context }) {
    const isOption = (await context.mail.inForce())?.isOption
    return isOption ? "The server was started with a mail server of its own, so this can’t be changed here." : null
  },
  async start({ context, place, person }) {
    const stored = await context.mail.inForce()
    return {
      host: stored?.host ?? "",
      port: String(stored?.port ?? 587),
      tls: stored?.tls ?? "starttls",
      user: stored?.user ?? "",
      from: stored?.from ?? "",
      from_name: stored?.fromName ?? place?.organization?.name ?? "Adbooth",
      to: person.email,
    }
  },
  fields: async ({ context }) => [
    <Field name="host" label="Server" required hint="Such as smtp.example.com" />,
    <Field name="port" label="Port" required />,
    <Select name="tls" label="Encryption" choices={ENCRYPTION} />,
    <Field name="user" label="User name" autocomplete="off" />,
    <SecretField name="password" label="Password" isStored={(await context.mail.inForce()) !== null} />,
    <Field name="from" type="email" label="From address" required />,
    <Field name="from_name" label="From name" required />,
    <Field name="to" type="email" label="Send a test message to" required />,
  ],
  read: (form) => form.texts("host", "port", "tls", "user", "from", "from_name", "to"),
  async save({ context, actor }, { host, port: typedPort, tls, user, from, from_name: fromName, to }, form) {
    const port = readNumber(typedPort, { decimals: 0, max: 65_535 })
    const protocol = ENCRYPTION.find(({ value }) => value === tls)
    const errors = {
      ...(!HOST.test(host) && { host: "Enter the name of a server, such as smtp.example.com." }),
      ...((!port.ok || port.value < 1) && { port: "Enter a port from 1 to 65535. Most servers use 587." }),
      ...(tls === "none" && user !== "" && { tls: "A password is only sent over an encrypted connection." }),
      ...(readEmailAddress(from) === undefined && { from: ADDRESS_NEEDED }),
      ...(fromName === "" && { from_name: "Enter the name that people see." }),
      ...(readEmailAddress(to) === undefined && { to: ADDRESS_NEEDED }),
    }
    if (Object.keys(errors).length > 0 || protocol === undefined || !port.ok) return { errors }
    const login = user === "" ? "" : `${encodeURIComponent(user)}:${encodeURIComponent(form.raw("password"))}@`
    const smtp = `${protocol.scheme}://${login}${host}:${port.value}${protocol.query}`
    const choice = await context.mail.withStoredPassword({ smtp, from, fromName })
    const failed = await context.mail.test(choice, to)
    if (failed !== null) return { errors: { host: `The test message wasn’t sent, so nothing was saved. ${failed}` } }
    await chooseMail(context, choice, actor)
    const look = "Look in the spam folder if it isn’t there in a minute."
    return done(`Mail works: ${host} accepted the test to ${to}. ${look}`)
  },
  offLabel: async ({ context }) => (await context.mail.inForce()) && "Stop sending mail",
  async turnOff({ context, actor }) {
    await chooseMail(context, null, actor)
    return done("Nothing is mailed any more.")
  },
  async test({ context, person: { email: to } }) {
    const failed = await context.mail.send({ ...TEST_LETTER, to })
    return failed === null ? done(`The server accepted the test to ${to}.`) : problem(`${failed} ${mailAdvice(failed)}`)
  },
})
