import { hasMail } from "../../../actions/mail.ts"
import { changeRole, invite, removeMember, withdrawInvitation } from "../../../actions/people/members.ts"
import { isRole } from "../../../domain/people/person.ts"
import { BODY_BYTES_MAX } from "../../../http/body.ts"
import { type Invitation, invitationsOf, membersOf } from "../../../storage/people/users.ts"
import { idIn } from "../../find.ts"
import { goTo, goToWithProblem } from "../../flash.ts"
import { askFirst } from "../../forms/ask.tsx"
import { type FormOf, readForm } from "../../forms/form.ts"
import { sendLink } from "../../forms/once.tsx"
import type { List } from "../../list.ts"
import { AskLink, Badge, ButtonLink, Empty } from "../../parts/blocks.tsx"
import { Select } from "../../parts/choices.tsx"
import { Field } from "../../parts/fields.tsx"
import { Form, PostButton } from "../../parts/form.tsx"
import { formatTime } from "../../parts/format.tsx"
import { ListView } from "../../parts/list.tsx"
import { ROLE_CHOICES } from "../../parts/people.tsx"
import { actionsColumn } from "../../parts/table.tsx"
import { homeOf, type MemberVisit, NotFound, orNotFound } from "../../visit.ts"

type Member = Awaited<ReturnType<typeof membersOf>>[number]

/** A member, or a person who was invited. We only know what was typed about an invited person. */
interface Person extends Pick<Member, "name" | "email" | "role"> {
  readonly member?: Member
  readonly invitation?: Invitation
  /** An organization that has an admin keeps one. */
  readonly isLastAdmin?: boolean
}

const peopleAddress = (visit: MemberVisit) => `${homeOf(visit)}/people`

const peopleList = (visit: MemberVisit): List<Person> => ({
  name: "people",
  searched: "names and email addresses",
  textsOf: ({ name, email }) => [name, email],
  states: {
    admin: { label: "Admins", has: ({ member }) => member?.role === "admin" },
    member: { label: "Members", has: ({ member }) => member?.role === "member" },
    invited: { label: "Invited", has: ({ invitation }) => invitation !== undefined },
  },
  columns: [
    { title: "Name", cell: ({ name }) => <b>{name}</b>, sort: ({ name }) => name },
    { title: "Email", cell: ({ email }) => email, sort: ({ email }) => email, onPhone: "wide" },
    {
      title: "Role",
      cell: ({ role, member, invitation }) => (
        <span class="actions">
          <Badge tone={role === "admin" ? "good" : "off"} label={role === "admin" ? "Admin" : "Member"} />
          {invitation !== undefined && <Badge tone="info" label={invitationInWords(invitation, visit)} />}
          {member?.hasPassword === false && <Badge tone="warn" label="No password yet" />}
        </span>
      ),
      sort: ({ role }) => role,
      onPhone: "wide",
    },
    actionsColumn(({ member, invitation, isLastAdmin = false }) => (
      <div class="actions">
        {member !== undefined && !isLastAdmin && memberActions(member, peopleAddress(visit))}
        {invitation !== undefined && invitationActions(invitation, peopleAddress(visit))}
      </div>
    )),
  ],
  empty: <Empty title="No people yet" text="Invite the people who work with these campaigns." />,
})

const invitationInWords = ({ expiresAt }: Invitation, visit: MemberVisit) =>
  expiresAt <= visit.now ? "Invitation expired" : `Invited until ${formatTime(expiresAt, visit)}`

function memberActions({ id, name, role }: Member, address: string) {
  const [other, label] = role === "admin" ? ["member", "Make member"] : ["admin", "Make admin"]
  const about = `${label}: ${name}`
  const fields = { role: other }
  return (
    <>
      <PostButton action={`${address}/${id}/role`} label={label} kind="quiet" isSmall about={about} fields={fields} />
      <AskLink href={`${address}/${id}/remove`} label="Remove" about={`Remove ${name}`} />
    </>
  )
}

function invitationActions({ id, name, email, role }: Invitation, address: string) {
  const about = `New link for ${name}`
  const fields = { name, email, role }
  return (
    <>
      <PostButton action={address} label="New link" kind="quiet" isSmall about={about} fields={fields} />
      <PostButton
        action={`${address}/invitations/${id}/withdraw`}
        label="Withdraw"
        kind="quiet danger"
        isSmall
        about={`Withdraw the invitation for ${name}`}
      />
    </>
  )
}

/** The people of an organization, and a form that invites another one. */
export const peopleForm: FormOf<MemberVisit, readonly Person[]> = {
  async find({ read, organization: { id } }) {
    const members = await membersOf(read, id)
    const invited = await invitationsOf(read, id)
    const hasOneAdmin = members.filter(({ role }) => role === "admin").length === 1
    return [
      ...members.map((member) => ({ ...member, member, isLastAdmin: hasOneAdmin && member.role === "admin" })),
      ...invited.map((invitation) => ({ ...invitation, invitation })),
    ]
  },
  begin: () => ({ texts: { role: "member" } }),
  async view(visit, people) {
    const { context, organization, url, user } = visit
    const link = (await hasMail(context)) ? "A link is mailed to them." : "You get a link to send to them."
    const others = user.isOperator
      ? "If they have an account, they set a new password with it."
      : "If they already have an account, only the operator of this server can add them."
    return {
      title: "People",
      intro: `Who can sign in and work with ${organization.name}.`,
      actions: <ButtonLink kind="primary" icon="plus" href="#invite" label="Invite a person" />,
      body: (
        <>
          <ListView list={peopleList(visit)} rows={people} url={url} />
          <section class="card form-card" id="invite">
            <h2>Invite a person</h2>
            <Form submit="Invite">
              <Field name="name" label="Name" required />
              <Field name="email" label="Email" type="email" hint={`${link} ${others}`} required />
              <Select name="role" label="Role" choices={ROLE_CHOICES} hint={ROLES_HINT} required />
            </Form>
          </section>
        </>
      ),
    }
  },
  async save(visit, _, { name = "", email = "", role = "" }) {
    const { context, actor, user, organization } = visit
    const by = { actor, isOperator: user.isOperator }
    const invited = await invite(context, by, organization.id, { name, email, role })
    if ("errors" in invited) return invited
    const trail = [{ href: peopleAddress(visit), label: "People" }]
    const purpose = `to join ${organization.name} as ${email}`
    return sendLink(visit, { title: `${name} is invited`, trail, to: { name, email }, path: invited.path, purpose })
  },
}

const ROLES_HINT = "Members see campaigns and report totals. Admins also manage campaigns, keys and people."

const LAST_ADMIN = "The last admin of an organization stays one. Make another person an admin first."

/** Makes a member an admin, or the other way around. */
export async function setMemberRole(visit: MemberVisit): Promise<Response> {
  const { context, actor, organization, request } = visit
  const { role = "" } = (await readForm(request, BODY_BYTES_MAX)).texts
  const { id, name } = await findMember(visit)
  if (!isRole(role)) throw new NotFound()
  const changed = orNotFound(await changeRole(context, actor, { organizationId: organization.id, userId: id }, role))
  if (changed === "last admin") return goToWithProblem(visit, peopleAddress(visit), LAST_ADMIN)
  return goTo(visit, peopleAddress(visit), `${name} is ${role === "admin" ? "an admin" : "a member"} now.`)
}

async function findMember(visit: MemberVisit): Promise<Member> {
  const members = await membersOf(visit.read, visit.organization.id)
  return orNotFound(members.find(({ id }) => id === idIn(visit, "user")))
}

export const removeMemberForm = askFirst({
  find: findMember,
  ask: (visit, { name }) => ({
    title: `Remove ${name} from ${visit.organization.name}?`,
    text: `${name} can no longer open the pages of ${visit.organization.name}. The account stays.`,
    submit: "Remove",
    cancel: peopleAddress(visit),
  }),
  async act(visit, { id, name }) {
    const { context, actor, organization } = visit
    const removed = await removeMember(context, actor, { organizationId: organization.id, userId: id })
    if (removed === "last admin") return { errors: { "": LAST_ADMIN } }
    if (removed === "not found") throw new NotFound()
    return goTo(visit, peopleAddress(visit), `${name} is removed.`)
  },
})

export async function withdrawInvite(visit: MemberVisit): Promise<Response> {
  const { context, actor, organization } = visit
  const isDone = await withdrawInvitation(context, actor, organization.id, idIn(visit, "invitation"))
  if (!isDone) throw new NotFound()
  return goTo(visit, peopleAddress(visit), "The invitation is withdrawn.")
}
