import { SHARE_DAYS, shareCampaign, type TypedShare } from "../../../actions/campaigns/share-campaign.ts"
import { stopSharing } from "../../../actions/campaigns/stop-sharing.ts"
import { formatMoment } from "../../../domain/time/moment.ts"
import type { ShareLink, ShownCampaign } from "../../../storage/port/store.ts"
import { csv } from "../csv.ts"
import { type Errors, readForm } from "../form.ts"
import { Field, Select } from "../parts/field.tsx"
import { Confirm, Form } from "../parts/form.tsx"
import { Time } from "../parts/format.tsx"
import { LinkNote } from "../parts/link-note.tsx"
import { type Column, Table } from "../parts/table.tsx"
import { Badge, Copyable, Heading } from "../parts/widgets.tsx"
import { done, goTo, page } from "../respond.ts"
import { forAdmin } from "../route.ts"
import { type OrganizationVisit, param } from "../visit.ts"
import { withCampaign } from "./campaign.tsx"
import { pageNotFound } from "./refusals.tsx"

interface Place {
  readonly visit: OrganizationVisit
  readonly campaign: ShownCampaign
  readonly base: string
}

/** Only who sells in the campaign has something to show. */
function withShares(visit: OrganizationVisit, answer: (place: Place) => Response | Promise<Response>) {
  return withCampaign(visit, (campaign) => {
    if (!campaign.sells) return pageNotFound(visit)
    return answer({ visit, campaign, base: `/app/o/${visit.organization.slug}/campaigns/${campaign.slug}/share` })
  })
}

function trailOf({ visit, campaign }: Place) {
  const list = `/app/o/${visit.organization.slug}/campaigns`
  return [
    { href: list, label: "Campaigns" },
    { href: `${list}/${campaign.slug}`, label: campaign.name },
  ]
}

async function sharePage(place: Place, typed: TypedShare, errors: Errors): Promise<Response> {
  const { visit, campaign, base } = place
  const links = await visit.context.store.shareLinks.list(visit.organization.id, campaign.id)
  return page(visit, {
    title: `Share ${campaign.name}`,
    active: `/app/o/${visit.organization.slug}/campaigns`,
    status: Object.keys(errors).length > 0 ? 422 : 200,
    body: (
      <>
        <Heading
          title="Share"
          trail={trailOf(place)}
          actions={
            links.length > 0 && (
              <a class="button quiet" href={`${base}.csv`}>
                Download CSV
              </a>
            )
          }
        >
          <p class="soft">A link shows your lines of this campaign to somebody without an account, to read only.</p>
        </Heading>
        {links.length > 0 && (
          <Table caption="Share links" columns={columnsFor(place)} rows={links} rowKey={({ id }) => id} />
        )}
        <section class="card narrow">
          <h2>New link</h2>
          <Form action={base} submit="Create the link" errors={errors}>
            <Field
              name="label"
              label="For whom"
              value={typed.label}
              required
              errors={errors}
              hint="So that you know later which one to revoke."
            />
            <Select
              name="days"
              label="Works for"
              value={typed.days}
              choices={SHARE_DAYS.map((days) => ({ value: String(days), label: `${days} days` }))}
              errors={errors}
            />
          </Form>
        </section>
      </>
    ),
  })
}

function columnsFor({ visit, base }: Place): Column<ShareLink>[] {
  const zone = visit.organization.timeZone
  return [
    { title: "For whom", cell: ({ label }) => label },
    { title: "Created", cell: ({ createdAt }) => <Time at={createdAt} zone={zone} /> },
    { title: "Works until", cell: ({ expiresAt }) => <Time at={expiresAt} zone={zone} /> },
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

async function createLink(place: Place): Promise<Response> {
  const { visit, campaign, base } = place
  const form = await readForm(visit.request)
  const typed = { label: form.text("label"), days: form.text("days") }
  const shared = await shareCampaign(visit.context, visit.organization, campaign, typed, visit.actor)
  if (shared.outcome === "not found") return pageNotFound(visit)
  if (shared.outcome === "refused") return sharePage(place, typed, shared.errors)
  return page(visit, {
    title: "The link is ready",
    active: `/app/o/${visit.organization.slug}/campaigns`,
    body: (
      <>
        <Heading title="The link is ready" trail={[...trailOf(place), { href: base, label: "Share" }]} />
        <section class="card wide">
          <p>Copy it now. It is shown this once. Whoever has it can read, until it expires or you revoke it.</p>
          <Copyable id="link" label={typed.label} text={`${visit.origin}${shared.path}`} />
          <LinkNote visit={visit} />
          <p>
            <a class="button primary" href={base}>
              Done
            </a>
          </p>
        </section>
      </>
    ),
  })
}

async function withLink(place: Place, answer: (link: ShareLink) => Response | Promise<Response>): Promise<Response> {
  const { visit, campaign } = place
  const id = param(visit, "link")
  const { shareLinks } = visit.context.store
  const link = /^\d{1,15}$/.test(id) ? await shareLinks.find(visit.organization.id, campaign.id, Number(id)) : null
  return link === null || link.revokedAt !== null ? pageNotFound(visit) : answer(link)
}

function confirmRevoke({ visit, base }: Place, link: ShareLink): Response {
  return page(visit, {
    title: "Revoke the link",
    active: `/app/o/${visit.organization.slug}/campaigns`,
    body: (
      <Confirm
        title={`Revoke the link for “${link.label}”?`}
        action={`${base}/${link.id}/revoke`}
        submit="Revoke it now"
        cancel={base}
      >
        <p>It stops working at once. This cannot be undone; you can always make a new one.</p>
      </Confirm>
    ),
  })
}

async function revoke({ visit, campaign, base }: Place, link: ShareLink): Promise<Response> {
  const revoked = await stopSharing(visit.context, visit.organization, campaign, link.id, visit.actor)
  return revoked ? goTo(visit, base, done(`The link for “${link.label}” is revoked.`)) : pageNotFound(visit)
}

async function sharesCsv({ visit, campaign }: Place): Promise<Response> {
  const links = await visit.context.store.shareLinks.list(visit.organization.id, campaign.id)
  const at = (moment: number | null) => (moment === null ? null : formatMoment(moment))
  return csv(
    `${campaign.slug}-share-links.csv`,
    ["for", "created", "expires", "revoked"],
    links.map((link) => [link.label, at(link.createdAt), at(link.expiresAt), at(link.revokedAt)]),
  )
}

const SHARE = "/app/o/:org/campaigns/:campaign/share"
const LINK = `${SHARE}/:link/revoke`

export const shareRoutes = [
  forAdmin("GET", SHARE, (visit) => withShares(visit, (place) => sharePage(place, { label: "", days: "30" }, {}))),
  forAdmin("GET", `${SHARE}.csv`, (visit) => withShares(visit, sharesCsv)),
  forAdmin("POST", SHARE, (visit) => withShares(visit, createLink)),
  forAdmin("GET", LINK, (visit) => withShares(visit, (place) => withLink(place, (link) => confirmRevoke(place, link)))),
  forAdmin("POST", LINK, (visit) => withShares(visit, (place) => withLink(place, (link) => revoke(place, link)))),
]
