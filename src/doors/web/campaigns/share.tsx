import { SHARE_DAYS, shareCampaign, stopSharing, type TypedShare } from "../../../actions/campaigns/share-links.ts"
import type { ShareLink } from "../../../storage/port/store.ts"
import { askFirst } from "../ask-first.tsx"
import { pageNotFound } from "../error-pages.tsx"
import { type Errors, readForm } from "../form.ts"
import { showOnce } from "../one-time-secret.tsx"
import { Badge } from "../parts/blocks.tsx"
import { Select } from "../parts/form/choices.tsx"
import { Field } from "../parts/form/fields.tsx"
import { Form } from "../parts/form/form.tsx"
import { headedPage } from "../parts/page.tsx"
import { type Column, Table, timeColumn } from "../parts/table.tsx"
import { done, goTo } from "../respond.ts"
import { type Answer, forAdmin } from "../route.ts"
import { idParam, type OrganizationVisit, param } from "../visit.ts"
import {
  BuyersPeople,
  inviteBuyersPerson,
  type SharePlace,
  type TriedInvitation,
  withdrawBuyersInvitation,
} from "./buyers-people.tsx"
import { CAMPAIGN, campaignsOf, trailTo, withCampaign } from "./with-line.ts"

/** Only a seller of the campaign has something to show. */
function withShares(show: (place: SharePlace) => Answer) {
  return withCampaign((visit, campaign) => {
    if (!campaign.sells) return pageNotFound(visit)
    return show({ visit, campaign, base: `${campaignsOf(visit)}/${campaign.slug}/share` })
  })
}

type Tried = Readonly<{ typed?: TypedShare; errors?: Errors; invitation?: TriedInvitation }>

async function sharePage(place: SharePlace, tried: Tried = {}): Promise<Response> {
  const { visit, campaign, base } = place
  const links = await visit.context.store.shareLinks.list(visit.organization.id, campaign.id)
  const { errors = {}, invitation } = tried
  const typed = tried.typed ?? { label: links.length === 0 ? campaign.buyer.name : "", days: "30" }
  return headedPage(visit, {
    title: `Share ${campaign.name}`,
    heading: "Share",
    trail: trailTo(visit, campaign),
    intro: "Anyone with the link can see your lines in this campaign. They need no account and can’t change anything.",
    body: (
      <>
        {links.length > 0 && (
          <Table caption="Share links" columns={columnsFor(place)} rows={links} rowKey={({ id }) => id} />
        )}
        <section class="card narrow">
          <h2>New link</h2>
          <Form action={base} submit="Create link" values={typed} errors={errors}>
            <Field name="label" label="Shared with" required hint="So you know later which link to revoke." />
            <Select name="days" label="Expires after" choices={DAYS} />
          </Form>
        </section>
        {await BuyersPeople(place, invitation)}
      </>
    ),
  })
}

const DAYS = SHARE_DAYS.map((days) => ({ value: String(days), label: `${days} days` }))

function columnsFor({ visit, base }: SharePlace): Column<ShareLink>[] {
  return [
    { title: "Shared with", value: ({ label }) => label },
    timeColumn("Created", ({ createdAt }) => createdAt),
    timeColumn("Expires", ({ expiresAt }) => expiresAt),
    {
      title: "State",
      cell: ({ id, label, revokedAt, expiresAt }) => {
        if (revokedAt !== null) return <Badge tone="bad">Revoked</Badge>
        if (expiresAt <= visit.now) return <Badge>Expired</Badge>
        return (
          <a href={`${base}/${id}/revoke`} aria-label={`Revoke the link for ${label}`}>
            Revoke
          </a>
        )
      },
    },
  ]
}

async function createLink(place: SharePlace): Promise<Response> {
  const { visit, campaign, base } = place
  const typed = (await readForm(visit.request)).texts("label", "days")
  const shared = await shareCampaign(visit.context, visit.organization, campaign, typed, visit.actor)
  if (shared.outcome === "not found") return pageNotFound(visit)
  if (shared.outcome === "refused") return sharePage(place, { typed, errors: shared.errors })
  return showOnce(visit, {
    title: "Your new link",
    trail: [...trailTo(visit, campaign), { href: base, label: "Share" }],
    text: "It is shown only once. Anyone who has it can see your lines until it expires or you revoke it.",
    secrets: [{ id: "link", label: typed.label, text: `${visit.origin}${shared.path}` }],
    isLink: true,
  })
}

/** A link that still works. */
async function findLink(visit: OrganizationVisit) {
  const { shareLinks, campaigns } = visit.context.store
  const campaign = await campaigns.find(visit.organization.id, param(visit, "campaign"))
  const id = idParam(visit, "link")
  const link = campaign?.sells ? await shareLinks.find(visit.organization.id, campaign.id, id) : null
  return campaign === null || link === null || link.revokedAt !== null ? null : { campaign, link }
}

type FoundLink = NonNullable<Awaited<ReturnType<typeof findLink>>>

async function revoke(visit: OrganizationVisit, { campaign, link }: FoundLink): Promise<Response> {
  const revoked = await stopSharing(visit.context, visit.organization, campaign.id, link.id, visit.actor)
  if (!revoked) return pageNotFound(visit)
  const text = `The link for “${link.label}” has been revoked.`
  const back = `${campaignsOf(visit)}/${campaign.slug}`
  return goTo(visit, `${back}/share`, done(text, back, "Back to the campaign"))
}

const revokeQuestion = (visit: OrganizationVisit, { campaign, link }: FoundLink) => ({
  href: visit.url.pathname,
  question: `Revoke the link for “${link.label}”?`,
  text: "It stops working at once. You can create a new one at any time.",
  submit: "Revoke",
  cancel: `${campaignsOf(visit)}/${campaign.slug}/share`,
})

const SHARE = `${CAMPAIGN}/share`
const PEOPLE = `${SHARE}/people`

export const shareRoutes = [
  forAdmin(
    "GET",
    SHARE,
    withShares((place) => sharePage(place)),
  ),
  forAdmin("POST", SHARE, withShares(createLink)),
  forAdmin("POST", PEOPLE, withShares(inviteBuyersPerson((place, invitation) => sharePage(place, { invitation })))),
  forAdmin("POST", `${PEOPLE}/invitations/:invitation/withdraw`, withShares(withdrawBuyersInvitation)),
  ...askFirst(forAdmin, `${SHARE}/:link/revoke`, findLink, revoke, revokeQuestion),
]
