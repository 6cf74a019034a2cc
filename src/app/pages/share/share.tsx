import { publicUrl } from "../../../actions/mail.ts"
import { revokeShareLink, SHARE_DAYS, shareCampaign } from "../../../actions/share.ts"
import { type Campaign, type ShareLink, shareLinksOf } from "../../../storage/campaigns/campaigns.ts"
import { campaignAddress, campaignTrail, findSoldCampaign } from "../../find.ts"
import { goTo } from "../../flash.ts"
import { askFirst } from "../../forms/ask.tsx"
import { formOf } from "../../forms/form.ts"
import { showOnce } from "../../forms/once.tsx"
import { AskLink, Badge, Card } from "../../parts/blocks.tsx"
import { Select } from "../../parts/choices.tsx"
import { Field } from "../../parts/fields.tsx"
import { Form } from "../../parts/form.tsx"
import { Time } from "../../parts/format.tsx"
import { actionsColumn, type Column, Table } from "../../parts/table.tsx"
import { type MemberVisit, orNotFound } from "../../visit.ts"

async function findLinks(visit: MemberVisit) {
  const campaign = await findSoldCampaign(visit)
  return { campaign, links: await shareLinksOf(visit.read, visit.organization.id, campaign.id) }
}

const shareAddress = (visit: MemberVisit, campaign: Campaign) => `${campaignAddress(visit, campaign)}/share`

/** The links to a campaign, and the form for a new one. */
export const shareForm = formOf({
  find: findLinks,
  begin: (_, { campaign, links }) => ({ texts: { label: links.length === 0 ? campaign.buyer : "", days: "30" } }),
  view(visit, { campaign, links }) {
    const address = shareAddress(visit, campaign)
    return {
      title: `Share ${campaign.name}`,
      trail: campaignTrail(visit, campaign),
      intro:
        "Anyone with the link can see your lines in this campaign. They need no account and can’t change anything.",
      hasTimes: links.length > 0,
      body: (
        <>
          {links.length > 0 && (
            <Card title="Links" isFlush>
              <Table caption="Links" columns={linkColumns(visit, address)} rows={links} />
            </Card>
          )}
          <section class="card narrow">
            <h2>New link</h2>
            <Form submit="Create link" cancel={campaignAddress(visit, campaign)}>
              <Field name="label" label="Shared with" hint="So you know later which link to revoke." required />
              <Select name="days" label="Expires after" choices={DAYS} required />
            </Form>
          </section>
        </>
      ),
    }
  },
  async save(visit, { campaign }, { label = "", days = "" }) {
    const { context, actor, organization } = visit
    const shared = { organizationId: organization.id, campaignId: campaign.id }
    const created = await shareCampaign(context, actor, shared, { label, days })
    if ("errors" in created) return created
    const address = shareAddress(visit, campaign)
    return showOnce(visit, {
      title: "Your new link",
      trail: [...campaignTrail(visit, campaign), { href: address, label: "Share" }],
      text: "It’s shown only once. Anyone who has it can see your lines until it expires or you revoke it.",
      secrets: [{ id: "link", label, text: `${publicUrl(context)}/app/share/${created.token}` }],
    })
  },
})

const DAYS = SHARE_DAYS.map((days) => ({ value: String(days), label: `${days} days` }))

const linkColumns = ({ now }: MemberVisit, address: string): Column<ShareLink>[] => [
  { title: "Shared with", cell: ({ label }) => label },
  { title: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
  { title: "Expires", cell: ({ expiresAt }) => <Time at={expiresAt} /> },
  {
    title: "State",
    onPhone: "corner",
    cell: ({ revokedAt, expiresAt }) => {
      if (revokedAt !== null) return <Badge tone="bad" label="Revoked" />
      if (expiresAt <= now) return <Badge tone="off" label="Expired" />
      return <Badge tone="good" label="Works" />
    },
  },
  actionsColumn(
    ({ id, label, revokedAt, expiresAt }) =>
      revokedAt === null &&
      expiresAt > now && (
        <AskLink href={`${address}/${id}/revoke`} label="Revoke" about={`Revoke the link for ${label}`} />
      ),
  ),
]

export const revokeLinkForm = askFirst({
  async find(visit: MemberVisit) {
    const { campaign, links } = await findLinks(visit)
    const link = orNotFound(
      links.find(({ id, revokedAt }) => String(id) === visit.params["link"] && revokedAt === null),
    )
    return { campaign, link }
  },
  ask: (visit, { campaign, link }) => ({
    title: `Revoke the link for “${link.label}”?`,
    text: "It stops working at once. You can create a new one at any time.",
    submit: "Revoke",
    cancel: shareAddress(visit, campaign),
  }),
  async act(visit, { campaign, link }) {
    const { context, actor, organization } = visit
    await revokeShareLink(context, actor, { organizationId: organization.id, campaignId: campaign.id }, link.id)
    return goTo(visit, shareAddress(visit, campaign), `The link for “${link.label}” is revoked.`)
  },
})
