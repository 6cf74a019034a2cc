import { inviteMember, type TypedMember, withdrawInvitation } from "../../../actions/people/invitations.ts"
import type { ShownCampaign } from "../../../storage/port/store.ts"
import { pageNotFound } from "../error-pages.tsx"
import { type Errors, readForm } from "../form.ts"
import { showLink } from "../one-time-secret.tsx"
import { InvitationActions, InviteForm, NOBODY, type Person, peopleOf, roleColumn } from "../organization/members.tsx"
import { Table } from "../parts/table.tsx"
import { done, goTo, problem } from "../respond.ts"
import { idParam, type OrganizationVisit } from "../visit.ts"
import { trailTo } from "./with-line.ts"

/** Where a seller shows a campaign to others. */
export type SharePlace = Readonly<{ visit: OrganizationVisit; campaign: ShownCampaign; base: string }>

export type TriedInvitation = Readonly<{ typed: TypedMember; errors: Errors }>

/** Who can sign in for the buyer. Only an operator may add to them: a buyer may buy from other sellers too. */
export async function BuyersPeople({ visit, campaign: { buyer }, base }: SharePlace, tried?: TriedInvitation) {
  if (!visit.person.isOperator) return null
  const people = await peopleOf(visit, buyer)
  const action = `${base}/people`
  return (
    <section class="card narrow" id="people">
      <h2>People of {buyer.name}</h2>
      <p class="soft">With an account they see all that {buyer.name} buys here, and can’t change any of it.</p>
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
      <InviteForm action={action} typed={tried?.typed ?? NOBODY} errors={tried?.errors ?? {}} onlyBuys />
    </section>
  )
}

type Refused = (place: SharePlace, tried: TriedInvitation) => Promise<Response>

export const inviteBuyersPerson = (refused: Refused) => async (place: SharePlace) => {
  const { visit, campaign, base } = place
  if (!visit.person.isOperator) return onlyOperator(place)
  const typed = (await readForm(visit.request)).texts("name", "email", "role")
  const invited = await inviteMember(visit.context, campaign.buyer, typed, visit.actor)
  if (!invited.ok) return refused(place, { typed, errors: invited.errors })
  return showLink(visit, `/app/o/${visit.organization.slug}`, {
    title: `${typed.name} has been invited`,
    trail: [...trailTo(visit, campaign), { href: base, label: "Share" }],
    path: invited.path,
    purpose: `to join ${campaign.buyer.name} as ${typed.email}`,
    done: { href: base, label: "Done" },
    name: typed.name,
    email: typed.email,
  })
}

export async function withdrawBuyersInvitation(place: SharePlace): Promise<Response> {
  const { visit, campaign, base } = place
  if (!visit.person.isOperator) return onlyOperator(place)
  const id = idParam(visit, "invitation")
  const isDone = id !== null && (await withdrawInvitation(visit.context, campaign.buyer, id, visit.actor))
  return isDone ? goTo(visit, base, done("The invitation has been withdrawn.")) : pageNotFound(visit)
}

const onlyOperator = ({ visit, base }: SharePlace) =>
  goTo(visit, base, problem("Only an operator can invite people of a buyer."))
