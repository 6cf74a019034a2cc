import { inviteMember, mayInvite, type TypedMember, withdrawInvitation } from "../../../actions/people/invitations.ts"
import type { Invitation, ShownCampaign } from "../../../storage/port/store.ts"
import { pageNotFound } from "../error-pages.tsx"
import { type Errors, readForm } from "../form.ts"
import { showLink } from "../one-time-secret.tsx"
import {
  BUYERS_ROLES_HINT,
  InvitationActions,
  InviteForm,
  NOBODY,
  type Person,
  peopleOf,
  roleColumn,
} from "../organization/members.tsx"
import { Table } from "../parts/table.tsx"
import { done, goTo } from "../respond.ts"
import { idParam, type OrganizationVisit, readId } from "../visit.ts"
import { trailTo } from "./with-line.ts"

/** Where a seller shows a campaign to others. */
export type SharePlace = Readonly<{ visit: OrganizationVisit; campaign: ShownCampaign; base: string }>

export type TriedInvitation = Readonly<{ typed: TypedMember; errors: Errors }>

/** Who can sign in for the buyer. A seller invites them where nobody else's figures would be shown to them; an operator always. */
export async function BuyersPeople(place: SharePlace, tried?: TriedInvitation) {
  const { visit, base } = place
  const { buyer } = place.campaign
  const { isOperator } = visit.person
  const isOpen = isOperator || (await mayInvite(visit.context, buyer, visit.organization))
  const people = isOpen ? await knownPeople(place) : []
  const action = `${base}/people`
  return (
    <section class="card narrow" id="people">
      <h2>People of {buyer.name}</h2>
      <p class="soft">
        With an account they see all that {buyer.name} buys here, and can’t change any of it.{" "}
        {!isOpen && "As it does not only buy from you, the operator of this installation invites them."}
      </p>
      {people.length > 0 && (
        <Table
          caption={`People of ${buyer.name}`}
          columns={[
            { title: "Name", value: ({ name }: Person) => name },
            { title: "Email", value: ({ email }) => email, phone: "wide" },
            roleColumn(visit),
            {
              title: "Actions",
              phone: "actions",
              cell: (person) => person.invited && <InvitationActions base={action} person={person} />,
            },
          ]}
          rows={people}
          rowKey={({ email }) => email}
        />
      )}
      {(isOpen || tried !== undefined) && (
        <InviteForm
          action={action}
          typed={tried?.typed ?? NOBODY}
          errors={tried?.errors ?? {}}
          rolesHint={isOperator ? BUYERS_ROLES_HINT : null}
        />
      )}
    </section>
  )
}

/** Everybody, for an operator. A seller knows whom its own people invited: who else works for the buyer is the buyer's own affair. */
async function knownPeople({ visit, campaign: { buyer } }: SharePlace): Promise<Person[]> {
  const people = await peopleOf(visit, buyer)
  if (visit.person.isOperator) return people
  const known = await Promise.all(people.map(({ invited }) => invited && isInvitedByUs(visit, buyer.id, invited)))
  return people.filter((_, at) => known[at])
}

// Enough to get past addresses that this one is a part of.
const ENTRIES_READ = { before: null, limit: 20 }

async function isInvitedByUs(visit: OrganizationVisit, organizationId: number, { email }: Invitation) {
  const { audit, members } = visit.context.store
  const { entries } = await audit.list({ action: "invite member", organizationId, text: email }, ENTRIES_READ)
  const inviter = readId(entries.find(({ subject }) => subject === email)?.actor.replace("user:", "") ?? "")
  return inviter !== null && (await members.find(visit.organization.id, inviter)) !== null
}

type Refused = (place: SharePlace, tried: TriedInvitation) => Promise<Response>

export const inviteBuyersPerson = (refused: Refused) => async (place: SharePlace) => {
  const { visit, campaign, base } = place
  const { isOperator } = visit.person
  const typed = (await readForm(visit.request)).texts("name", "email", "role")
  const invited = isOperator
    ? await inviteMember(visit.context, campaign.buyer, typed, visit.actor)
    : await inviteMember(visit.context, campaign.buyer, { ...typed, role: "member" }, visit.actor, visit.organization)
  if (!invited.ok) return refused(place, { typed, errors: invited.errors })
  return showLink(visit, {
    title: `${typed.name} has been invited`,
    trail: [...trailTo(visit, campaign), { href: base, label: "Share" }],
    path: invited.path,
    purpose: `to join ${campaign.buyer.name} as ${typed.email}`,
    to: typed,
  })
}

export async function withdrawBuyersInvitation(place: SharePlace): Promise<Response> {
  const { visit, campaign, base } = place
  const id = idParam(visit, "invitation")
  const isKnown = (await knownPeople(place)).some(({ invited }) => invited?.id === id)
  const isDone = isKnown && (await withdrawInvitation(visit.context, campaign.buyer, id, visit.actor))
  return isDone ? goTo(visit, base, done("The invitation has been withdrawn.")) : pageNotFound(visit)
}
