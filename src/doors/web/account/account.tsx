import { encode } from "uqr"
import { changePassword, confirmPassword, passwordProblem, type Unproven } from "../../../actions/people/passwords.ts"
import { endSession } from "../../../actions/people/sessions.ts"
import { disableTwoFactor, enableTwoFactor } from "../../../actions/people/two-factor.ts"
import { changeOwnName } from "../../../actions/people/users.ts"
import { deviceOf } from "../../../domain/people/sign-in.ts"
import { newTotpSecret, totpUri } from "../../../domain/people/two-factor.ts"
import type { ListedSession } from "../../../storage/port/store.ts"
import { isTheme, plainCookie, THEME_COOKIE } from "../cookies.ts"
import { pageNotFound } from "../error-pages.tsx"
import { readForm } from "../form.ts"
import type { PageAnswer } from "../guards.ts"
import { forAnyone, forSignedIn } from "../guards.ts"
import { showOnce } from "../one-time-secret.tsx"
import { Badge, ButtonLink, Card, Copyable, PostButton } from "../parts/blocks.tsx"
import { CurrentPassword, Field, Form, HiddenInputs, NewPassword } from "../parts/form/form.tsx"
import { Time } from "../parts/format.tsx"
import { type Column, Table } from "../parts/table.tsx"
import { BUSY, cardPage, done, goTo, headedPage, type Refused, waitFirst } from "../respond.tsx"
import type { PersonVisit, Visit } from "../visit.ts"
import { callerOf, idParam, isSecure } from "../visit.ts"

const NAME_HINT = "Colleagues see it next to your changes."

async function accountPage(visit: PersonVisit, { errors, ...answer }: Refused = { errors: {} }, typedName?: string) {
  const { person } = visit
  const name = typedName ?? person.name
  const isNameWrong = errors["name"] !== undefined
  return headedPage(visit, {
    title: "Your account",
    intro: `${person.name}, ${person.email}`,
    ...answer,
    body: (
      <div class="cols">
        <Card title="Name">
          <Form action="/app/account/name" submit="Save name" values={{ name }} errors={isNameWrong ? errors : {}}>
            <Field name="name" label="Your name" required maxlength={200} autocomplete="name" hint={NAME_HINT} />
          </Form>
        </Card>
        <Card title="Password">
          <Form action="/app/account/password" submit="Change password" errors={isNameWrong ? {} : errors}>
            <CurrentPassword name="current" label="Current password" />
            <NewPassword name="wanted" label="New password" hint="You will be signed out everywhere else." />
          </Form>
        </Card>
        {await twoFactorCard(visit)}
        <Card title="Sessions">
          <p class="soft">Lost a device, or used someone else's? End every session, including this one.</p>
          <p>
            <ButtonLink href="/app/account/sessions" label="Show sessions" />
          </p>
          <Form action="/app/sign-out/everywhere" submit="Sign out everywhere" />
        </Card>
      </div>
    ),
  })
}

async function twoFactorCard({ context, person: { userId, hasTotp } }: PersonVisit) {
  const left = await context.store.twoFactor.recoveryCodesLeft(userId)
  const text = hasTotp
    ? `You sign in with a code from your phone. You have ${left} recovery codes left.`
    : "With an app on your phone, a stolen password is not enough to sign in."
  return (
    <Card title="Two-factor codes" actions={hasTotp ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>}>
      <p class="soft">{text}</p>
      <p>
        <ButtonLink href={`/app/account/two-factor${hasTotp ? "/off" : ""}`} label={hasTotp ? "Turn off" : "Turn on"} />
      </p>
    </Card>
  )
}

async function submitName(visit: PersonVisit): Promise<Response> {
  const name = (await readForm(visit.request)).text("name")
  const problem = await changeOwnName(visit.context, visit.person.userId, name)
  if (problem !== null) return accountPage(visit, { errors: { name: problem } }, name)
  return goTo(visit, "/app/account", done("Your name has been saved."))
}

async function submitPassword(visit: PersonVisit): Promise<Response> {
  const form = await readForm(visit.request)
  const wanted = form.raw("wanted")
  const problem = passwordProblem(wanted)
  if (problem !== undefined) return accountPage(visit, { errors: { wanted: problem } })
  const changed = await changePassword(visit.context, {
    userId: visit.person.userId,
    password: form.raw("current"),
    wanted,
    caller: callerOf(visit),
    keepTokenHash: visit.sessionHash,
  })
  if (changed === "done")
    return goTo(visit, "/app/account", done("Your password has been changed.", SESSIONS, "See your sessions"))
  return accountPage(visit, refusedProof("current", changed))
}

/** Why the password that a form was sent with is not accepted; null when it is right. For what a stolen session must not do. */
export async function unprovenPassword(visit: PersonVisit): Promise<Refused | null> {
  const password = (await readForm(visit.request)).raw("password")
  const { userId } = visit.person
  const proof = await confirmPassword(visit.context, { userId, password, caller: callerOf(visit) })
  return proof === "right" ? null : refusedProof("password", proof)
}

function refusedProof(field: string, why: Unproven): Refused {
  if (why === "busy") return BUSY
  return why === "wrong" ? { errors: { [field]: "This is the wrong password." } } : waitFirst(field, why.waitSeconds)
}

const SESSIONS = "/app/account/sessions"

const COLUMNS: readonly Column<ListedSession>[] = [
  {
    title: "Device",
    cell: ({ userAgent, isCurrent }) => [deviceOf(userAgent), " ", isCurrent && <Badge tone="good">This one</Badge>],
  },
  { title: "Address", value: ({ address }) => address ?? "Unknown" },
  { title: "Signed in", cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    title: "Actions",
    narrow: "actions",
    cell: ({ id, userAgent }) => {
      const about = `End the session of ${deviceOf(userAgent)}`
      return <PostButton small kind="quiet" action={`${SESSIONS}/${id}/end`} label="End" about={about} />
    },
  },
]

async function sessionsPage(visit: PersonVisit): Promise<Response> {
  const { context, person, now, sessionHash } = visit
  const sessions = await context.store.sessions.list(person.userId, now, sessionHash)
  return headedPage(visit, {
    title: "Sessions",
    trail: TRAIL,
    intro: "Where you are signed in. End any you don’t recognize, then change your password.",
    body: <Table caption="Sessions" columns={COLUMNS} rows={sessions} />,
  })
}

async function end(visit: PersonVisit): Promise<Response> {
  const isDone = await endSession(visit.context, visit.person.userId, idParam(visit, "session"), visit.actor)
  return isDone
    ? goTo(visit, SESSIONS, done("The session has ended.", "/app/account", "Change your password"))
    : pageNotFound(visit)
}

const YEAR_SECONDS = 365 * 86_400

/** Remembers the theme. The page stays as it is, with whatever is typed there: its style sheet has changed already. */
async function saveTheme(visit: Visit): Promise<Response> {
  const chosen = (await readForm(visit.request)).text("theme")
  const theme = isTheme(chosen) ? chosen : "system"
  const maxAgeSeconds = theme === "system" ? 0 : YEAR_SECONDS
  // The guides at /docs have it too.
  const options = { secure: isSecure(visit), maxAgeSeconds, path: "/" }
  const headers = { "Set-Cookie": plainCookie(THEME_COOKIE, theme, options) }
  return new Response(null, { status: 204, headers })
}

const TRAIL = [{ href: "/app/account", label: "Your account" }]

const turnOnPage = (
  visit: PersonVisit,
  { errors, ...answer }: Refused = { errors: {} },
  secret = newTotpSecret(visit.context.random),
): Response =>
  headedPage(visit, {
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
const whileOff = (answer: (visit: PersonVisit) => PageAnswer) => (visit: PersonVisit) =>
  visit.person.hasTotp ? goTo(visit, "/app/account") : answer(visit)

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
  if (enabled.outcome === "unproven") return turnOnPage(visit, refusedProof("password", enabled.why), secret)
  if (enabled.outcome === "wrong_code")
    return turnOnPage(visit, { errors: { code: "This code is wrong. Codes change every 30 seconds." } }, secret)
  return showOnce(visit, {
    title: "Two-factor codes are on",
    trail: TRAIL,
    text: "Keep these recovery codes somewhere safe. Each one lets you sign in once without your phone.",
    secrets: [{ id: "codes", label: "Recovery codes, shown only once", text: enabled.recoveryCodes.join("\n") }],
    done: "I have saved them",
  })
}

const turnOffPage = (visit: PersonVisit, { errors, ...answer }: Refused = { errors: {} }): Response =>
  cardPage(visit, {
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

async function turnOff(visit: PersonVisit): Promise<Response> {
  const { userId } = visit.person
  const password = (await readForm(visit.request)).raw("password")
  const disabled = await disableTwoFactor(visit.context, { userId, password, caller: callerOf(visit) })
  if (disabled !== "done") return turnOffPage(visit, refusedProof("password", disabled))
  return goTo(visit, "/app/account", done("Two-factor sign-in is off.", "/app/account/two-factor", "Turn it on again"))
}

export const accountRoutes = [
  forAnyone("POST", "/app/theme", saveTheme),
  forSignedIn("GET", "/app/account", accountPage),
  forSignedIn("POST", "/app/account/name", submitName),
  forSignedIn("POST", "/app/account/password", submitPassword),
  forSignedIn("GET", SESSIONS, sessionsPage),
  forSignedIn("POST", `${SESSIONS}/:session/end`, end),
  forSignedIn("GET", "/app/account/two-factor", whileOff(turnOnPage)),
  forSignedIn("POST", "/app/account/two-factor", whileOff(turnOn)),
  forSignedIn("GET", "/app/account/two-factor/off", turnOffPage),
  forSignedIn("POST", "/app/account/two-factor/off", turnOff),
]
