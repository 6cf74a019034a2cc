import { SHARE_DAYS, shareCampaign, stopSharing, type TypedShare } from "../../../actions/campaigns/share-links.ts"
import { inviteMember, type TypedMember, withdrawInvitation } from "../../../actions/people/invitations.ts"
import type { ShareLink, ShownCampaign } from "../../../storage/port/store.ts"
import { pageNotFound } from "../error-pages.tsx"
import { type Errors, readForm } from "../form.ts"
import { askFirst, forAdmin, forOperatorOf, withFound } from "../guards.ts"
import { showLink, showOnce } from "../one-time-secret.tsx"
import type { Person } from "../organization/members.tsx"
import {
  BUYERS_ROLES_HINT,
  InvitationActions,
  InviteForm,
  inviterOf,
  NOBODY,
  peopleOf,
  roleColumn,
} from "../organization/members.tsx"
import { Badge } from "../parts/blocks.tsx"
import { Select } from "../parts/form/choices.tsx"
import { Field, Form } from "../parts/form/form.tsx"
import { type Column, Table, timeColumn } from "../parts/table.tsx"
import { done, goTo, headedPage } from "../respond.tsx"
import { idParam, type OrganizationVisit, type Visit } from "../visit.ts"
import { CAMPAIGN, campaignsOf, findSoldCampaign, trailTo } from "./with-line.ts"

/** Where a seller shows a campaign to others. */
const baseOf = (visit: OrganizationVisit, { slug }: ShownCampaign) => `${campaignsOf(visit)}/${slug}/share`

type TriedInvitation = Readonly<{ typed: TypedMember; errors: Errors }>

/** Who can sign in for the buyer. Only the operator invites them: they also see what others sell to the buyer. */
async function buyersPeople(visit: OrganizationVisit, campaign: ShownCampaign, tried?: TriedInvitation) {
  const { buyer } = campaign
  if (!visit.person.isOperator) {
    return (
      <section class="card narrow">
        <h2>People of {buyer.name}</h2>
        <p class="soft">
          Only the operator of this server gives them accounts, because they see all that they buy here.
        </p>
      </section>
    )
  }
  const people = await peopleOf(visit, buyer)
  const action = `${baseOf(visit, campaign)}/people`
  const form = tried ?? { typed: NOBODY, errors: {} }
  return (
    <section class="card narrow" id="people">
      <h2>People of {buyer.name}</h2>
      <p class="soft">With an account they see all that {buyer.name} buys here, and can’t change any of it.</p>
      {people.length > 0 && (
        <Table
          caption={`People of ${buyer.name}`}
          columns={[
            { title: "Name", value: ({ name }: Person) => name },
            { title: "Email", value: ({ email }) => email, narrow: "wide" },
            roleColumn(visit),
            {
              title: "Actions",
              narrow: "actions",
              cell: (person) => person.invited && <InvitationActions base={action} person={person} />,
            },
          ]}
          rows={people}
        />
      )}
      <InviteForm action={action} {...form} rolesHint={BUYERS_ROLES_HINT} />
    </section>
  )
}

async function inviteBuyersPerson(visit: OrganizationVisit, campaign: ShownCampaign): Promise<Response> {
  const typed = (await readForm(visit.request)).texts("name", "email", "role")
  const invited = await inviteMember(visit.context, campaign.buyer, typed, inviterOf(visit))
  if (!invited.ok) return sharePage(visit, campaign, { invitation: { typed, errors: invited.errors } })
  return showLink(visit, {
    title: `${typed.name} has been invited`,
    trail: trailOf(visit, campaign),
    path: invited.path,
    purpose: `to join ${campaign.buyer.name} as ${typed.email}`,
    to: typed,
  })
}

async function withdrawBuyersInvitation(visit: OrganizationVisit, campaign: ShownCampaign): Promise<Response> {
  const id = idParam(visit, "invitation")
  const isDone = await withdrawInvitation(visit.context, campaign.buyer, id, visit.actor)
  if (!isDone) return pageNotFound(visit)
  return goTo(visit, baseOf(visit, campaign), done("The invitation has been withdrawn."))
}

const trailOf = (visit: OrganizationVisit, campaign: ShownCampaign) => [
  ...trailTo(visit, campaign),
  { href: baseOf(visit, campaign), label: "Share" },
]

type Tried = Readonly<{ typed?: TypedShare; errors?: Errors; invitation?: TriedInvitation }>

async function sharePage(visit: OrganizationVisit, campaign: ShownCampaign, tried: Tried = {}): Promise<Response> {
  const base = baseOf(visit, campaign)
  const links = await visit.context.store.shareLinks.list(visit.organization.id, campaign.id)
  const { errors = {}, invitation } = tried
  const typed = tried.typed ?? { label: links.length === 0 ? campaign.buyer.name : "", days: "30" }
  return headedPage(visit, {
    title: `Share ${campaign.name}`,
    heading: "Share",
    trail: trailTo(visit, campaign),
    intro: "Anyone with the link can see your lines in this campaign. They need no account and can’t change anything.",
    body: [
      links.length > 0 && <Table caption="Share links" columns={linkColumns(visit, base)} rows={links} />,
      <div class="cols">
        <section class="card narrow">
          <h2>New link</h2>
          <Form action={base} submit="Create link" values={typed} errors={errors}>
            <Field name="label" label="Shared with" required hint="So you know later which link to revoke." />
            <Select name="days" label="Expires after" choices={DAYS} />
          </Form>
        </section>
        {await buyersPeople(visit, campaign, invitation)}
      </div>,
    ],
  })
}

export const DAYS = SHARE_DAYS.map((days) => ({ value: String(days), label: `${days} days` }))

type MadeLink = Pick<ShareLink, "id" | "label" | "createdAt" | "expiresAt" | "revokedAt">

/** For whom each link was made. One that still works can be revoked. */
export const linkColumns = ({ now }: Visit, base: string): Column<MadeLink>[] => [
  { title: "Shared with", value: ({ label }) => label },
  timeColumn("Created", ({ createdAt }) => createdAt),
  timeColumn("Expires", ({ expiresAt }) => expiresAt),
  {
    title: "State",
    cell: ({ id, label, revokedAt, expiresAt }) => {
      if (revokedAt !== null) return <Badge tone="bad">Revoked</Badge>
      if (expiresAt <= now) return <Badge>Expired</Badge>
      return (
        <a href={`${base}/${id}/revoke`} aria-label={`Revoke the link for ${label}`}>
          Revoke
        </a>
      )
    },
  },
]

async function createLink(visit: OrganizationVisit, campaign: ShownCampaign): Promise<Response> {
  const typed = (await readForm(visit.request)).texts("label", "days")
  const shared = await shareCampaign(visit.context, visit.organization, campaign, typed, visit.actor)
  if (shared.errors !== undefined) return sharePage(visit, campaign, { typed, errors: shared.errors })
  return showOnce(visit, {
    title: "Your new link",
    trail: trailOf(visit, campaign),
    text: "It is shown only once. Anyone who has it can see your lines until it expires or you revoke it.",
    secrets: [{ id: "link", label: typed.label, text: `${visit.origin}${shared.path}` }],
    isLink: true,
  })
}

/** A link that still works. */
async function findLink(visit: OrganizationVisit) {
  const { shareLinks } = visit.context.store
  const campaign = await findSoldCampaign(visit)
  const link = campaign && (await shareLinks.find(visit.organization.id, campaign.id, idParam(visit, "link")))
  return campaign !== null && link?.revokedAt === null ? { campaign, link } : null
}

type FoundLink = NonNullable<Awaited<ReturnType<typeof findLink>>>

async function revoke(visit: OrganizationVisit, { campaign, link }: FoundLink): Promise<Response> {
  const revoked = await stopSharing(visit.context, visit.organization, campaign.id, link.id, visit.actor)
  if (!revoked) return pageNotFound(visit)
  const text = `The link for “${link.label}” has been revoked.`
  const said = done(text, `${campaignsOf(visit)}/${campaign.slug}`, "Back to the campaign")
  return goTo(visit, baseOf(visit, campaign), said)
}

const revokeQuestion = (visit: OrganizationVisit, { campaign, link }: FoundLink) => ({
  href: visit.url.pathname,
  title: `Revoke the link for “${link.label}”?`,
  text: "It stops working at once. You can create a new one at any time.",
  submit: "Revoke",
  cancel: baseOf(visit, campaign),
})

const SHARE = `${CAMPAIGN}/share`
const PEOPLE = `${SHARE}/people`

export const shareRoutes = [
  forAdmin("GET", SHARE, withFound(findSoldCampaign, sharePage)),
  forAdmin("POST", SHARE, withFound(findSoldCampaign, createLink)),
  forOperatorOf("POST", PEOPLE, withFound(findSoldCampaign, inviteBuyersPerson)),
  forOperatorOf(
    "POST",
    `${PEOPLE}/invitations/:invitation/withdraw`,
    withFound(findSoldCampaign, withdrawBuyersInvitation),
  ),
  ...askFirst(forAdmin, `${SHARE}/:link/revoke`, findLink, revoke, revokeQuestion),
]
