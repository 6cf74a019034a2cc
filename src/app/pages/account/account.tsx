import { changePassword } from "../../../actions/people/passwords.ts"
import { endOtherSessions, endSession } from "../../../actions/people/sign-in.ts"
import { changeOwnName } from "../../../actions/people/users.ts"
import { passwordProblem } from "../../../domain/people/password.ts"
import { deviceOf } from "../../../domain/people/session.ts"
import { recoveryCodesLeft, type Session, sessionsOf } from "../../../storage/people/sign-in.ts"
import { userById } from "../../../storage/people/users.ts"
import { idIn } from "../../find.ts"
import { goTo } from "../../flash.ts"
import type { FormOf } from "../../forms/form.ts"
import { type Page, page } from "../../page.tsx"
import { Badge, ButtonLink, Card } from "../../parts/blocks.tsx"
import { Field } from "../../parts/fields.tsx"
import { Form, PostButton } from "../../parts/form.tsx"
import { Ago, formatCount, Time } from "../../parts/format.tsx"
import { CurrentPassword, NewPassword } from "../../parts/people.tsx"
import { actionsColumn, type Column, Table } from "../../parts/table.tsx"
import { proofOf, unproven } from "../../session/session.ts"
import { orNotFound, type SignedInVisit } from "../../visit.ts"

/** `hash` belongs to the session that looks at the list. */
const sessionColumns = (hash: string): Column<Session>[] => [
  {
    title: "Browser",
    cell: ({ userAgent, tokenHash }) => (
      <span class="with">
        {deviceOf(userAgent ?? "")} {tokenHash === hash && <Badge tone="good" label="This one" />}
      </span>
    ),
  },
  { title: "Address", cell: ({ address }) => address || "Unknown" },
  { title: "Signed in", cell: ({ createdAt }) => <Time at={createdAt} /> },
  { title: "Last used", cell: ({ lastSeenAt }) => <Ago at={lastSeenAt} /> },
  actionsColumn(({ id, userAgent, tokenHash }) => {
    if (tokenHash === hash) return null
    const about = `Sign out ${deviceOf(userAgent ?? "")}`
    const action = `/app/account/sessions/${id}/end`
    return <PostButton action={action} label="Sign out" kind="quiet" isSmall about={about} />
  }),
]

const ACCOUNT = "/app/account"

interface Account {
  readonly hasTwoFactor: boolean
  readonly codesLeft: number
  readonly sessions: readonly Session[]
}

async function findAccount({ read, user, now }: SignedInVisit): Promise<Account> {
  const hasTwoFactor = (await userById(read, user.id))?.hasTwoFactor ?? false
  const codesLeft = await recoveryCodesLeft(read, user.id)
  return { hasTwoFactor, codesLeft, sessions: await sessionsOf(read, user.id, now) }
}

export const accountPage = async (visit: SignedInVisit): Promise<Response> =>
  page(visit, showAccount(visit, await findAccount(visit)))

/** All forms of the page, one of which may have been sent. */
function showAccount(visit: SignedInVisit, account: Account): Page {
  const { user, sessionHash } = visit
  const { sessions } = account
  const body = (
    <>
      <div class="cols">
        <Card title="Name">
          <Form action={`${ACCOUNT}/name`} submit="Save name" begin={beginName(visit)}>
            <Field
              name="name"
              label="Your name"
              hint="Colleagues see it beside your changes."
              required
              autocomplete="name"
            />
          </Form>
        </Card>
        <Card title="Password">
          <Form action={`${ACCOUNT}/password`} submit="Change password" begin={{ texts: {} }}>
            <CurrentPassword label="Current password" />
            <NewPassword label="New password" hint="You’re signed out everywhere else." />
          </Form>
        </Card>
        {twoFactorCard(account)}
      </div>
      <Card
        title="Where you’re signed in"
        actions={
          sessions.length > 1 && (
            <PostButton action={`${ACCOUNT}/sign-out-others`} label="Sign out all others" isSmall />
          )
        }
        isFlush
      >
        <Table caption="Sessions" columns={sessionColumns(sessionHash)} rows={sessions} />
        <p class="card-foot hint">If you don’t recognize one of these, sign it out and change your password.</p>
      </Card>
    </>
  )
  const intro = `${user.name}, ${user.email}`
  return { title: "Your account", intro, hasTimes: true, body }
}

function twoFactorCard({ hasTwoFactor, codesLeft }: Account) {
  const address = `${ACCOUNT}/two-factor`
  const [tone, state, action, href, text] = hasTwoFactor
    ? (["good", "On", "off", `${address}/off`, codesText(codesLeft)] as const)
    : (["off", "Off", "on", address, "With an app on your phone, a stolen password isn’t enough to sign in."] as const)
  return (
    <Card title="Two-factor codes" actions={<Badge tone={tone} label={state} />}>
      <p class="soft">{text}</p>
      <div class="actions">
        <ButtonLink href={href} label={`Turn ${action}`} about={`Two-factor codes: turn ${action}`} />
      </div>
    </Card>
  )
}

const codesText = (left: number): string =>
  `You sign in with a code from your phone. You have ${formatCount(left, "recovery code")} left.`

const beginName = ({ user }: SignedInVisit) => ({ texts: { name: user.name } })

export const nameForm: FormOf<SignedInVisit, Account> = {
  find: findAccount,
  begin: beginName,
  view: showAccount,
  async save(visit, _, { name = "" }) {
    const problem = await changeOwnName(visit.context, visit.user.id, name)
    return problem === undefined ? goTo(visit, ACCOUNT, "Your name is saved.") : { errors: { name: problem } }
  },
}

export const passwordForm: FormOf<SignedInVisit, Account> = {
  find: findAccount,
  view: showAccount,
  async save(visit, _, { password = "", newPassword = "" }) {
    const problem = passwordProblem(newPassword)
    if (problem !== undefined) return { errors: { newPassword: problem } }
    const change = { wanted: newPassword, keptSession: visit.sessionHash }
    const changed = await changePassword(visit.context, proofOf(visit, password), change)
    return changed === "done" ? goTo(visit, ACCOUNT, "Your password is changed.") : unproven(changed)
  },
}

/** Signs out one browser. */
export async function endOneSession(visit: SignedInVisit): Promise<Response> {
  const { context, user } = visit
  orNotFound(await endSession(context, user.id, idIn(visit, "session")))
  return goTo(visit, ACCOUNT, "That browser is signed out.")
}

export async function endOthers(visit: SignedInVisit): Promise<Response> {
  await endOtherSessions(visit.context, visit.user.id, visit.sessionHash)
  return goTo(visit, ACCOUNT, "All other browsers are signed out.")
}
