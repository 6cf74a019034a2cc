import { encode } from "uqr"
import { disableTwoFactor, enableTwoFactor } from "../../../actions/people/two-factor.ts"
import { newTotpSecret, totpUri } from "../../../domain/people/sign-in.ts"
import { readForm } from "../form.ts"
import { showOnce } from "../one-time-secret.tsx"
import { Copyable } from "../parts/blocks.tsx"
import { CurrentPassword, Field } from "../parts/form/fields.tsx"
import { Form, HiddenInputs } from "../parts/form/form.tsx"
import { cardPage, headedPage } from "../parts/page.tsx"
import { done, goTo, type Refused } from "../respond.ts"
import { type Answer, forSignedIn } from "../route.ts"
import { callerOf, type PersonVisit } from "../visit.ts"
import { refusedProof } from "./account.tsx"

const TRAIL = [{ href: "/app/account", label: "Your account" }]

function turnOnPage(visit: PersonVisit, secret: string, { errors, ...answer }: Refused): Response {
  return headedPage(visit, {
    title: "Turn on two-factor codes",
    trail: TRAIL,
    ...answer,
    body: (
      <section class="card narrow">
        <p>Scan this with an authenticator app, then enter the six digits that it shows.</p>
        <QrCode text={totpUri(secret, visit.person.email)} />
        <Copyable id="secret" label="Or enter this key" text={secret} />
        <Form action="/app/account/two-factor" submit="Turn on" cancel="/app/account" errors={errors}>
          <HiddenInputs values={{ secret }} />
          <Field name="code" label="Code" required inputmode="numeric" autocomplete="one-time-code" />
          <CurrentPassword />
        </Form>
      </section>
    ),
  })
}

function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text)
  const dots = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code for an authenticator app">
      <rect width={size} height={size} fill="#fff" />
      <path d={dots.join("")} fill="#000" />
    </svg>
  )
}

/** Codes must be turned off with the password before new ones are set: an unattended browser must not be enough to replace them. */
function whileOff(answer: (visit: PersonVisit) => Answer) {
  return (visit: PersonVisit) => (visit.person.hasTotp ? goTo(visit, "/app/account") : answer(visit))
}

async function turnOn(visit: PersonVisit): Promise<Response> {
  const form = await readForm(visit.request)
  const secret = form.text("secret")
  if (!/^[A-Z2-7]{32}$/.test(secret)) return goTo(visit, "/app/account/two-factor")
  const enabled = await enableTwoFactor(visit.context, {
    userId: visit.person.userId,
    password: form.raw("password"),
    caller: callerOf(visit),
    secret,
    code: form.text("code"),
  })
  if (enabled.outcome === "unproven") return turnOnPage(visit, secret, refusedProof("password", enabled.why))
  if (enabled.outcome === "wrong_code") {
    const errors = { code: "This code is wrong. Codes change every 30 seconds." }
    return turnOnPage(visit, secret, { errors })
  }
  return showOnce(visit, "/app/account", {
    title: "Two-factor codes are on",
    trail: TRAIL,
    text: "Keep these recovery codes somewhere safe. Each one lets you sign in once without your phone.",
    secrets: [{ id: "codes", label: "Recovery codes, shown only once", text: enabled.recoveryCodes.join("\n") }],
    done: { href: "/app/account", label: "I have saved them" },
  })
}

function turnOffPage(visit: PersonVisit, { errors, ...answer }: Refused): Response {
  return cardPage(visit, {
    title: "Turn off two-factor codes",
    ...answer,
    heading: "Turn off two-factor codes?",
    text: "Your password alone will be enough to sign in. Your recovery codes will stop working.",
    body: (
      <Form action="/app/account/two-factor/off" submit="Turn off" cancel="/app/account" danger errors={errors}>
        <CurrentPassword />
      </Form>
    ),
  })
}

async function turnOff(visit: PersonVisit): Promise<Response> {
  const { userId } = visit.person
  const password = (await readForm(visit.request)).raw("password")
  const disabled = await disableTwoFactor(visit.context, { userId, password, caller: callerOf(visit) })
  if (disabled !== "done") return turnOffPage(visit, refusedProof("password", disabled))
  return goTo(visit, "/app/account", done("Two-factor sign-in is off."))
}

export const twoFactorRoutes = [
  forSignedIn(
    "GET",
    "/app/account/two-factor",
    whileOff((visit) => turnOnPage(visit, newTotpSecret(visit.context.random), { errors: {} })),
  ),
  forSignedIn("POST", "/app/account/two-factor", whileOff(turnOn)),
  forSignedIn("GET", "/app/account/two-factor/off", (visit) => turnOffPage(visit, { errors: {} })),
  forSignedIn("POST", "/app/account/two-factor/off", turnOff),
]
