import { hasMail } from "../../../actions/mail.ts"
import { invite, type TypedPerson, withdrawInvitation } from "../../../actions/people/invitations.ts"
import { changeRole, removeMember } from "../../../actions/people/members.ts"
import { isRole } from "../../../domain/people/role.ts"
import { BODY_BYTES_MAX } from "../../../http/body.ts"
import { invitationsOf } from "../../../storage/people/invitations.ts"
import { type Member, membersOf } from "../../../storage/people/users.ts"
import { idIn } from "../../find.ts"
import { goTo, goToWithProblem } from "../../flash.ts"
import { askFirst } from "../../forms/ask.tsx"
import type { FormOf } from "../../forms/form.ts"
import { sendLink } from "../../forms/once.tsx"
import { readForm } from "../../forms/read-form.ts"
import { page } from "../../page.tsx"
import { ButtonLink } from "../../parts/blocks.tsx"
import { Select } from "../../parts/choices.tsx"
import { Field } from "../../parts/fields.tsx"
import { Form } from "../../parts/form.tsx"
import { ListView } from "../../parts/list.tsx"
import { ROLE_CHOICES } from "../../parts/people.tsx"
import { homeOf, type MemberVisit, NotFound } from "../../visit.ts"
import { type Person, peopleList } from "./people-list.tsx"

const peopleAddress = (visit: MemberVisit) => `${homeOf(visit)}/people`

interface People {
  readonly people: readonly Person[]
  readonly hasMail: boolean
}

/** The people of an organization, and a form that invites another one. */
export const peopleForm: FormOf<MemberVisit, People> = {
  async find({ context, organization: { id } }) {
    const { read } = context.database
    const members = await membersOf(read, id)
    const invited = await invitationsOf(read, id)
    const admins = members.filter(({ role }) => role === "admin")
    const people = [
      ...members.map((member) => ({ ...member, member, isLastAdmin: admins.length === 1 && admins[0] === member })),
      ...invited.map((invitation) => ({ ...invitation, invitation, isLastAdmin: false })),
    ]
    return { people, hasMail: await hasMail(context) }
  },
  begin: () => ({ texts: { role: "member" } }),
  view(visit, { people, hasMail }, form) {
    const { organization, url, user } = visit
    const address = peopleAddress(visit)
    const link = hasMail ? "A link is mailed to them." : "You get a link to send to them."
    const others = user.isOperator
      ? "If they have an account, they set a new password with it."
      : "If they already have an account, only the operator of this server can add them."
    return page(visit, {
      title: "People",
      intro: `Who can sign in and work with ${organization.name}.`,
      actions: <ButtonLink kind="primary" icon="plus" href="#invite" label="Invite a person" />,
      form,
      body: (
        <>
          <ListView list={peopleList(visit, address)} rows={people} url={url} />
          <section class="card form-card" id="invite">
            <h2>Invite a person</h2>
            <Form action={address} submit="Invite">
              <Field name="name" label="Name" required />
              <Field name="email" label="Email" type="email" hint={`${link} ${others}`} required />
              <Select name="role" label="Role" choices={ROLE_CHOICES} hint={ROLES_HINT} required />
            </Form>
          </section>
        </>
      ),
    })
  },
  async save(visit, _, { name = "", email = "", role = "" }) {
    const { context, actor, user, organization } = visit
    const typed: TypedPerson = { name, email, role }
    const invited = await invite(context, { actor, isOperator: user.isOperator }, organization.id, typed)
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
  const member = await findMember(visit)
  if (!isRole(role)) throw new NotFound()
  const place = { organizationId: organization.id, userId: member.id }
  const changed = await changeRole(context, actor, place, role)
  if (changed === "not found") throw new NotFound()
  if (changed === "last admin") return goToWithProblem(visit, peopleAddress(visit), LAST_ADMIN)
  return goTo(visit, peopleAddress(visit), `${member.name} is ${role === "admin" ? "an admin" : "a member"} now.`)
}

async function findMember(visit: MemberVisit): Promise<Member> {
  const members = await membersOf(visit.context.database.read, visit.organization.id)
  const member = members.find(({ id }) => id === idIn(visit, "user"))
  if (member === undefined) throw new NotFound()
  return member
}

export const removeMemberForm = askFirst<MemberVisit, Member>({
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
