import type { Invitation } from "../../../storage/people/invitations.ts"
import type { Member } from "../../../storage/people/users.ts"
import type { List } from "../../list.ts"
import { AskLink, Badge, Empty } from "../../parts/blocks.tsx"
import { PostButton } from "../../parts/form.tsx"
import { formatTime } from "../../parts/format.tsx"
import type { MemberVisit } from "../../visit.ts"

/** A member, or a person who was invited. We only know what was typed about an invited person. */
export interface Person extends Pick<Member, "name" | "email" | "role"> {
  readonly member?: Member
  readonly invitation?: Invitation
  /** An organization that has an admin keeps one. */
  readonly isLastAdmin: boolean
}

export const peopleList = (visit: MemberVisit, address: string): List<Person> => ({
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
      cell: (person) => <RoleBadges person={person} visit={visit} />,
      sort: ({ role }) => role,
      onPhone: "wide",
    },
    {
      title: "Actions",
      onPhone: "actions",
      cell: ({ member, invitation, isLastAdmin }) => (
        <div class="actions">
          {member !== undefined && !isLastAdmin && (
            <MemberActions member={member} address={`${address}/${member.id}`} />
          )}
          {invitation !== undefined && <InvitationActions invitation={invitation} address={address} />}
        </div>
      ),
    },
  ],
  empty: <Empty title="No people yet" text="Invite the people who work with these campaigns." />,
})

interface RoleProps {
  readonly person: Person
  readonly visit: MemberVisit
}

const RoleBadges = ({ person: { role, member, invitation }, visit }: RoleProps) => (
  <span class="with wraps">
    <Badge tone={role === "admin" ? "good" : "off"}>{role === "admin" ? "Admin" : "Member"}</Badge>
    {invitation !== undefined && <Badge tone="info">{invitationInWords(invitation, visit)}</Badge>}
    {member?.hasPassword === false && <Badge tone="warn">No password yet</Badge>}
  </span>
)

const invitationInWords = ({ expiresAt }: Invitation, visit: MemberVisit) =>
  expiresAt <= visit.now ? "Invitation expired" : `Invited until ${formatTime(expiresAt, visit)}`

interface MemberProps {
  readonly member: Member
  readonly address: string
}

function MemberActions({ member: { name, role }, address }: MemberProps) {
  const other = role === "admin" ? "member" : "admin"
  const label = other === "admin" ? "Make admin" : "Make member"
  return (
    <>
      <PostButton
        action={`${address}/role`}
        label={label}
        kind="quiet"
        isSmall
        about={`${label}: ${name}`}
        fields={{ role: other }}
      />
      <AskLink href={`${address}/remove`} label="Remove" about={`Remove ${name}`} />
    </>
  )
}

interface InvitationProps {
  readonly invitation: Invitation
  readonly address: string
}

const InvitationActions = ({ invitation: { id, name, email, role }, address }: InvitationProps) => (
  <>
    <PostButton
      action={address}
      label="New link"
      kind="quiet"
      isSmall
      about={`New link for ${name}`}
      fields={{ name, email, role }}
    />
    <PostButton
      action={`${address}/invitations/${id}/withdraw`}
      label="Withdraw"
      kind="quiet danger"
      isSmall
      about={`Withdraw the invitation for ${name}`}
    />
  </>
)
