import { inviteMember, type TypedMember, withdrawInvitation } from "../../../actions/people/invitations.ts"
import type { MemberChange } from "../../../actions/people/members.ts"
import { mayReset, removeMember, resetMember, setMemberRole } from "../../../actions/people/members.ts"
import { seenOf } from "../../../domain/edit-conflict.ts"
import { MemberRole, type Organization } from "../../../domain/people/organization.ts"
import { checkFor } from "../../../domain/schema/check.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { Invitation, Member } from "../../../storage/port/store.ts"
import { pageNotFound } from "../error-pages.tsx"
import { type Errors, readForm } from "../form.ts"
import { askFirst, forAdmin, withFound } from "../guards.ts"
import { listing } from "../lists.tsx"
import { showLink } from "../one-time-secret.tsx"
import { Badge, ButtonLink, Empty, PostButton } from "../parts/blocks.tsx"
import { Select } from "../parts/form/choices.tsx"
import { type Editing, editingRoutes } from "../parts/form/editing.tsx"
import { type Draft, Field, Form, HiddenInputs } from "../parts/form/form.tsx"
import { formatShortDate } from "../parts/format.tsx"
import type { Column } from "../parts/table.tsx"
import { AskButton, done, goTo, headedPage, problem, type Question } from "../respond.tsx"
import { idParam, type OrganizationVisit, type Visit } from "../visit.ts"

const isRole = checkFor(MemberRole)

/** A person who works there, or was invited to. Of an invited one only what the inviter typed is known before they accept. */
export type Person = Pick<Member, "name" | "email" | "role"> & Readonly<{ member?: Member; invited?: Invitation }>

const baseOf = ({ organization }: OrganizationVisit) => `/app/o/${organization.slug}/members`

const ROLE_NAMES = { member: "Member", admin: "Admin" }
export const ROLES = Object.entries(ROLE_NAMES).map(([value, label]) => ({ value, label }))
export const ROLES_HINT = "Members see campaigns and report totals. Admins also manage campaigns, keys and people."
export const LINK_HINT = "You get a link for them. If mail is set up, it’s mailed, too."
export const BUYERS_ROLES_HINT = "Members see what was delivered. Admins also manage people."
const rolesHintFor = ({ place }: Visit) => (place?.onlyBuys ? BUYERS_ROLES_HINT : ROLES_HINT)

export async function peopleOf({ context: { store } }: Visit, { id }: Pick<Organization, "id">): Promise<Person[]> {
  const [members, invitations] = await Promise.all([store.members.list(id), store.invitations.list(id)])
  return [
    ...members.map((member) => ({ ...member, member })),
    ...invitations.map((invited) => ({ ...invited, invited })),
  ]
}

const list = listing<OrganizationVisit, Person>({
  what: "people",
  searched: "names and email addresses",
  states: { admin: "Admins", member: "Members", invited: "Invited" },
  rules: {
    searched: ({ name, email }) => `${name}\n${email}`,
    states: {
      admin: ({ role, member }) => member !== undefined && role === "admin",
      member: ({ role, member }) => member !== undefined && role === "member",
      invited: ({ invited }) => invited !== undefined,
    },
    sorts: { name: ({ name }) => name, email: ({ email }) => email, role: ({ role }) => role },
  },
  rows: (visit) => peopleOf(visit, visit.organization),
  empty: <Empty title="Nobody yet" text="Invite the people who work with these campaigns." />,
  columns: (visit) => [
    {
      title: "Name",
      sortBy: "name",
      value: ({ name }) => name,
      href: ({ member }) => (member ? `${baseOf(visit)}/${member.userId}` : null),
    },
    { title: "Email", sortBy: "email", narrow: "wide", value: ({ email }) => email },
    roleColumn(visit),
    { title: "Actions", narrow: "actions", cell: (person) => <Actions base={baseOf(visit)} person={person} /> },
  ],
})

export const roleColumn = (visit: OrganizationVisit): Column<Person> => ({
  title: "Role",
  sortBy: "role",
  cell: ({ role, invited, member }) => (
    <span class="with wraps">
      <Badge tone={role === "admin" ? "good" : "off"}>{ROLE_NAMES[role]}</Badge>
      {invited && <Badge tone="info">{invitedUntil(invited, visit)}</Badge>}
      {member?.hasPassword === false && <Badge tone="warn">No password yet</Badge>}
    </span>
  ),
  value: ({ role }) => role,
})

const invitedUntil = ({ expiresAt }: Invitation, { now, zone }: OrganizationVisit) =>
  expiresAt <= now ? "Invitation expired" : `Invited until ${formatShortDate(dayOf(expiresAt, zone))}`

function Actions({ base, person }: { readonly base: string; readonly person: Person }) {
  const { name, member } = person
  return member ? (
    <ButtonLink small kind="quiet" href={`${base}/${member.userId}`} label="Manage" about={`Manage: ${name}`} />
  ) : (
    <InvitationActions base={base} person={person} />
  )
}

export function InvitationActions({ base, person }: { readonly base: string; readonly person: Person }) {
  const { name, email, role, invited } = person
  const [withdrawal, about] = [`${base}/invitations/${invited?.id}/withdraw`, `Withdraw the invitation of ${email}`]
  return (
    <div class="actions">
      <PostButton small kind="quiet" action={base} label="New link" about={`New link for ${email}`}>
        <HiddenInputs values={{ name, email, role }} />
      </PostButton>
      <PostButton small kind="quiet danger" action={withdrawal} label="Withdraw" about={about} />
    </div>
  )
}

export const NOBODY: TypedMember = { name: "", email: "", role: "member" }

const membersPage = async (visit: OrganizationVisit, typed = NOBODY, errors: Errors = {}): Promise<Response> =>
  headedPage(visit, {
    title: "People",
    intro: `Who can sign in and work with ${visit.organization.name}.`,
    actions: <ButtonLink kind="primary" icon="plus" href="#invite" label="Invite someone" />,
    body: [
      await list.view(visit),
      <section class="card narrow" id="invite">
        <h2>Invite someone</h2>
        <InviteForm action={baseOf(visit)} typed={typed} errors={errors} rolesHint={rolesHintFor(visit)} />
      </section>,
    ],
  })

type InviteProps = Readonly<{ action: string; typed: TypedMember; errors: Errors; rolesHint: string | null }>

/** Without a hint about roles there is none to choose. */
export const InviteForm = ({ action, typed, errors, rolesHint }: InviteProps) => (
  <Form action={action} submit="Invite" values={typed} errors={errors}>
    <Field name="name" label="Name" required autocomplete="off" />
    <Field name="email" label="Email" type="email" required autocomplete="off" hint={LINK_HINT} />
    {rolesHint !== null && <Select name="role" label="Role" choices={ROLES} hint={rolesHint} />}
  </Form>
)

async function withdraw(visit: OrganizationVisit): Promise<Response> {
  const id = idParam(visit, "invitation")
  const isDone = await withdrawInvitation(visit.context, visit.organization, id, visit.actor)
  return isDone ? goTo(visit, baseOf(visit), done("The invitation has been withdrawn.")) : pageNotFound(visit)
}

export const inviterOf = ({ actor, person: { isOperator } }: OrganizationVisit) => ({ actor, isOperator })

async function invite(visit: OrganizationVisit): Promise<Response> {
  const typed = (await readForm(visit.request)).texts("name", "email", "role")
  const { organization } = visit
  const invited = await inviteMember(visit.context, organization, typed, inviterOf(visit))
  if (!invited.ok) return membersPage(visit, typed, invited.errors)
  return showLink(visit, {
    title: `${typed.name} has been invited`,
    trail: trailOf(visit),
    to: typed,
    path: invited.path,
    purpose: `to join ${organization.name} as ${typed.email}`,
  })
}

const trailOf = (visit: OrganizationVisit) => [{ href: baseOf(visit), label: "People" }]

const findMember = (visit: OrganizationVisit): Promise<Member | null> =>
  visit.context.store.members.find(visit.organization.id, idParam(visit, "user"))

async function memberPage(visit: OrganizationVisit, member: Member, draft: Draft<TypedRole>): Promise<Response> {
  const { members, users } = visit.context.store
  const { id } = visit.organization
  const admins = (await members.list(id)).filter(({ role }) => role === "admin")
  const isLastAdmin = member.role === "admin" && admins.length === 1
  const user = await users.findById(member.userId)
  const href = `${baseOf(visit)}/${member.userId}`
  return headedPage(visit, {
    title: member.name,
    trail: trailOf(visit),
    intro: member.email,
    body: (
      <div class="cols">
        <section class="card">
          <h2>Role</h2>
          {isLastAdmin ? (
            <p class="soft">Admin. {KEEP_AN_ADMIN}</p>
          ) : (
            <Form action={href} submit="Save role" draft={draft}>
              <Select name="role" label="Role" choices={ROLES} hint={rolesHintFor(visit)} />
            </Form>
          )}
        </section>
        <section class="card">
          <h2>Password</h2>
          {user !== null && mayReset(user, id) ? (
            [
              <p class="soft">With a link, {member.name} can choose a new password. All open sessions end.</p>,
              <Form action={`${href}/reset`} submit="Create link" />,
            ]
          ) : (
            <p class="soft">{onlyOperator(member)}</p>
          )}
        </section>
        {!isLastAdmin && (
          <section class="card">
            <h2>Remove</h2>
            <p class="soft">The account stays.</p>
            <div class="actions">
              <AskButton label="Remove from the organization" question={removalQuestion(visit, member)} />
            </div>
          </section>
        )}
      </div>
    ),
  })
}

const KEEP_AN_ADMIN = "There must be at least one admin. Make someone else an admin first."

const onlyOperator = ({ name }: Member) => `Only the operator can create a password link for ${name}.`

type TypedRole = { readonly role: string }

const edit: Editing<OrganizationVisit, Member, TypedRole> = {
  find: findMember,
  start: ({ role }) => ({ typed: { role }, seen: seenOf({ role }) }),
  page: memberPage,
  read: (form) => form.texts("role"),
  async save(visit, { userId, name }, typed, by) {
    const role = isRole(typed.role)
    if (!role.ok) return { outcome: "refused", errors: { role: "Choose a role." } }
    const outcome = await setMemberRole(visit.context, visit.organization, userId, role.value, by)
    if (outcome === "changed") return { outcome }
    return afterChange(visit, outcome, `${name} is now ${role.value === "admin" ? "an admin" : "a member"}.`)
  },
  conflict: ({ userId, name, email }, visit) => ({
    title: name,
    trail: trailOf(visit),
    what: `the role of ${name}`,
    changes: [
      ["edit member", `user:${userId}`],
      ["edit user", email],
    ],
  }),
}

function afterChange(visit: OrganizationVisit, changed: MemberChange, text: string): Response {
  if (changed === "not found") return pageNotFound(visit)
  return goTo(visit, baseOf(visit), changed === "done" ? done(text) : problem(KEEP_AN_ADMIN))
}

async function reset(visit: OrganizationVisit, member: Member): Promise<Response> {
  const path = await resetMember(visit.context, visit.organization, member.userId, visit.actor)
  const title = `Password link for ${member.name}`
  if (path !== null)
    return showLink(visit, { title, trail: trailOf(visit), to: member, path, purpose: "to choose a password" })
  return goTo(visit, `${baseOf(visit)}/${member.userId}`, problem(onlyOperator(member)))
}

const removalQuestion = (visit: OrganizationVisit, { userId, name }: Member): Question => ({
  title: `Remove ${name}?`,
  href: `${baseOf(visit)}/${userId}/remove`,
  submit: "Remove",
  text: `${name} will lose access to ${visit.organization.name}. The totals they reported stay.`,
})

async function remove(visit: OrganizationVisit, member: Member): Promise<Response> {
  const removed = await removeMember(visit.context, visit.organization, member.userId, visit.actor)
  return afterChange(visit, removed, `${member.name} has been removed.`)
}

const MEMBERS = "/app/o/:org/members"
const MEMBER = `${MEMBERS}/:user`

export const memberRoutes = [
  forAdmin("GET", MEMBERS, membersPage),
  forAdmin("POST", MEMBERS, invite),
  forAdmin("POST", `${MEMBERS}/invitations/:invitation/withdraw`, withdraw),
  ...editingRoutes(forAdmin, MEMBER, edit),
  forAdmin("POST", `${MEMBER}/reset`, withFound(findMember, reset)),
  ...askFirst(forAdmin, `${MEMBER}/remove`, findMember, remove, removalQuestion),
]
