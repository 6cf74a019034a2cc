import { chooseMail, mailNote } from "../../../../actions/alerts/alert-choice.ts"
import { readEmailAddress } from "../../../../domain/alerts/alert-settings.ts"
import { mailAdvice } from "../../../../domain/operations/mail.ts"
import { readNumber } from "../../../../domain/text/typed-number.ts"
import { timeInUtc } from "../../../../domain/time/time-zone.ts"
import { readForm } from "../../form.ts"
import { SYSTEM } from "../../frame/navigation.ts"
import { PostButton } from "../../parts/blocks.tsx"
import { Select } from "../../parts/form/choices.tsx"
import { Field } from "../../parts/form/fields.tsx"
import { done, goTo, problem } from "../../respond.ts"
import { forOperator } from "../../route.ts"
import type { PersonVisit } from "../../visit.ts"
import { type Refused, SecretField, ServiceCard, type ServiceState, serviceForm } from "./service.tsx"

const PAGE = `${SYSTEM}/mail`

async function stateOf({ context: { mail, store } }: PersonVisit): Promise<ServiceState> {
  const place = await mail.place()
  if (place === null)
    return {
      is: "off",
      text: "Invitations, alerts and answers to orders aren’t emailed. You copy the links and send them yourself.",
    }
  const note = await mailNote(store)
  const last = note?.sentAt ? `Last message ${timeInUtc(note.sentAt)}` : "No message yet"
  if (note?.problem)
    return {
      is: "broken",
      problem: note.problem,
      advice: mailAdvice(note.problem),
      meanwhile: `${last}. Links are still shown, so that you can send them yourself.`,
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
  { value: "starttls", label: "STARTTLS" },
  { value: "implicit", label: "TLS" },
  { value: "none", label: "None" },
] as const

type Typed = Readonly<Record<"host" | "port" | "tls" | "user" | "from" | "from_name" | "to", string>>

async function showForm(visit: PersonVisit, refused?: Refused<Typed>): Promise<Response> {
  const place = await visit.context.mail.place()
  const stored: Typed = {
    host: place?.host ?? "",
    port: String(place?.port ?? 587),
    tls: place?.tls ?? "starttls",
    user: place?.user ?? "",
    from: place?.from ?? "",
    from_name: place?.fromName ?? visit.place?.organization?.name ?? "Adbooth",
    to: visit.person.email,
  }
  const values = refused?.typed ?? stored
  return serviceForm(visit, {
    title: "Set up mail",
    action: PAGE,
    submit: "Send test and save",
    values,
    errors: refused?.errors,
    pinned: place?.isOption
      ? "The server was started with a mail server of its own, so this can’t be changed here."
      : null,
    fields: (
      <>
        <Field name="host" label="Server" required hint="Such as smtp.example.com" />
        <Field name="port" label="Port" required />
        <Select name="tls" label="Encryption" value={values.tls} choices={ENCRYPTION} />
        <Field name="user" label="User name" autocomplete="off" />
        <SecretField name="password" label="Password" isStored={place !== null} />
        <Field name="from" type="email" label="From address" required />
        <Field name="from_name" label="From name" required />
        <Field name="to" type="email" label="Send a test message to" required />
      </>
    ),
    off: place !== null && "Stop sending mail",
  })
}

const PROTOCOLS: Readonly<Record<string, readonly [scheme: string, query: string]>> = {
  starttls: ["smtp", ""],
  implicit: ["smtps", ""],
  none: ["smtp", "?tls=no"],
}

const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i

async function save(visit: PersonVisit): Promise<Response> {
  const { context } = visit
  const form = await readForm(visit.request)
  const typed = form.texts("host", "port", "tls", "user", "from", "from_name", "to")
  const port = readNumber(typed.port, { decimals: 0, max: 65_535 })
  const password = form.raw("password")
  const address = "Enter an email address, such as me@example.com."
  const errors = {
    ...(!HOST.test(typed.host) && { host: "Enter the name of a server, such as smtp.example.com." }),
    ...((!port.ok || port.value < 1) && { port: "Enter a port from 1 to 65535. Most servers use 587." }),
    ...(typed.tls === "none" && typed.user !== "" && { tls: "A password is only sent over an encrypted connection." }),
    ...(readEmailAddress(typed.from) === undefined && { from: address }),
    ...(typed.from_name === "" && { from_name: "Enter the name that people see." }),
    ...(readEmailAddress(typed.to) === undefined && { to: address }),
  }
  const protocol = PROTOCOLS[typed.tls]
  if (Object.keys(errors).length > 0 || protocol === undefined || !port.ok) return showForm(visit, { typed, errors })
  const login = typed.user === "" ? "" : `${encodeURIComponent(typed.user)}:${encodeURIComponent(password)}@`
  const smtp = `${protocol[0]}://${login}${typed.host}:${port.value}${protocol[1]}`
  const choice = await context.mail.withStoredPassword({ smtp, from: typed.from, fromName: typed.from_name })
  const failed = await context.mail.test(choice, typed.to)
  if (failed !== null)
    return showForm(visit, { typed, errors: { host: `The test message wasn’t sent, so nothing was saved. ${failed}` } })
  await chooseMail(context, choice, visit.actor)
  const told = `Mail works: ${typed.host} accepted the test to ${typed.to}. Look in the spam folder if it isn’t there in a minute.`
  return goTo(visit, SYSTEM, done(told))
}

async function turnOff(visit: PersonVisit): Promise<Response> {
  await chooseMail(visit.context, null, visit.actor)
  return goTo(visit, SYSTEM, done("Nothing is mailed any more."))
}

async function test(visit: PersonVisit): Promise<Response> {
  const to = visit.person.email
  const letter = { to, subject: "Adbooth: test message", text: "This is a test. Mail from Adbooth arrives here.\n" }
  const failed = await visit.context.mail.send(letter)
  if (failed !== null) return goTo(visit, SYSTEM, problem(`${failed} ${mailAdvice(failed)}`))
  return goTo(visit, SYSTEM, done(`The server accepted the test to ${to}.`))
}

export const mailRoutes = [
  forOperator("GET", PAGE, (visit) => showForm(visit)),
  forOperator("POST", PAGE, save),
  forOperator("POST", `${PAGE}/off`, turnOff),
  forOperator("POST", `${PAGE}/test`, test),
]
