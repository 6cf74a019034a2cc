import { summaryOf } from "../../../domain/campaign/campaign-summary.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type {
  CampaignHead,
  CampaignReads,
  Company,
  LineChoice,
  LineScope,
  ListedCampaign,
  ShownLine,
} from "../../port/store.ts"
import type { PlainRead } from "../../steps/campaigns.ts"
import type { Connection } from "../engine/connection.ts"
import { campaignLines, type LinesSeen } from "./campaign-lines.ts"
import { linesInFlight } from "./lines-in-flight.ts"
import { listedLines } from "./listed-lines.ts"

// Reads an index, newest first, with one lookup in another for each campaign, and stops when the page is full.
const SEEN_BY = `SELECT c.id, c.slug, c.name, c.archived, c.created_at AS createdAt, b.id AS buyerId, b.slug AS buyerSlug, b.name AS buyerName
  FROM campaign c JOIN organization b ON b.id = c.buyer_id
  WHERE c.archived = $archived AND (c.buyer_id = $organizationId
    OR EXISTS (SELECT 1 FROM package_line l WHERE l.campaign_id = c.id AND l.seller_id = $organizationId))`
const NEWEST_FIRST = "ORDER BY c.created_at DESC, c.id DESC LIMIT $limit"

const FIND = `SELECT c.id, c.slug, c.name, c.archived, b.id AS buyerId, b.slug AS buyerSlug, b.name AS buyerName,
    EXISTS (SELECT 1 FROM package_line l WHERE l.campaign_id = c.id AND l.seller_id = ?1) AS ofOwn,
    EXISTS (SELECT 1 FROM package_line l WHERE l.campaign_id = c.id AND l.seller_id < ?1)
      OR EXISTS (SELECT 1 FROM package_line l WHERE l.campaign_id = c.id AND l.seller_id > ?1) AS ofOthers
  FROM campaign c JOIN organization b ON b.id = c.buyer_id WHERE c.slug = ?2`

interface HeadRow extends Company {
  readonly archived: number
  readonly id: number
  readonly buyerId: number
  readonly buyerSlug: string
  readonly buyerName: string
}

type ListedRow = HeadRow & { readonly createdAt: Moment }

export function campaigns(connection: Connection): Omit<CampaignReads, PlainRead> {
  const { database, reading } = connection
  const lines = campaignLines(connection)
  const flying = linesInFlight(connection, lines.shown)
  const listedOnly = listedLines(connection)
  const listed = database.query<ListedRow, [Record<string, number>]>(`${SEEN_BY} ${NEWEST_FIRST} OFFSET $offset`)
  const listedAfter = database.query<ListedRow, [Record<string, number>]>(
    `${SEEN_BY} AND (c.created_at, c.id) < ($createdAt, $id) ${NEWEST_FIRST}`,
  )
  const find = database.query<HeadRow & { ofOwn: number; ofOthers: number }, [number, string]>(FIND)

  function chosen(organizationId: number, head: CampaignHead, choice: LineChoice | undefined): ShownLine[] {
    if (choice === undefined) return []
    if ("packageId" in choice) return lines.one(seenBy(organizationId, head, {}), choice.packageId)
    return lines.from(seenBy(organizationId, head, choice), choice.offset, choice.limit)
  }

  return {
    async list(organizationId, { offset, limit, archived = false }) {
      reading.join()
      return listed.all({ organizationId, offset, limit, archived: Number(archived) }).map(listedOf)
    },
    async listAfter(organizationId, after, limit, isArchived = false) {
      reading.join()
      const archived = Number(isArchived)
      const rows =
        after === null
          ? listed.all({ organizationId, offset: 0, limit, archived })
          : listedAfter.all({ organizationId, limit, archived, createdAt: after.createdAt, id: after.id })
      return rows.map(listedOf)
    },
    async find(organizationId, slug, choice) {
      reading.join()
      const found = find.get(organizationId, slug)
      if (found === null || (found.ofOwn === 0 && found.buyerId !== organizationId)) return null
      const head = headOf(found)
      const sells = found.ofOwn === 1
      const isSoleSeller = sells && found.ofOthers === 0
      return { ...head, sells, isSoleSeller, lines: chosen(organizationId, head, choice) }
    },
    async summary(organizationId, campaign, scope, now) {
      return summaryOf(await listedOnly.ofCampaigns([seenBy(organizationId, campaign, scope)]), now)
    },
    async lines(organizationId, campaign, choice) {
      reading.join()
      return lines.after(seenBy(organizationId, campaign, choice), choice.after, choice.limit)
    },
    async listedLines(organizationId, campaigns) {
      return listedOnly.ofCampaigns(campaigns.map((campaign) => seenBy(organizationId, campaign, {})))
    },
    async soldLines(sellerId, after, limit) {
      reading.join()
      return listedOnly.sold(sellerId, after, limit)
    },
    async inFlight(sellerId, range) {
      reading.join()
      return flying.inRange(sellerId, range)
    },
    async listedInFlight(sellerId, range) {
      reading.join()
      return listedOnly.inFlight(sellerId, range)
    },
    async flyingLines(sellerId, lineIds) {
      reading.join()
      return flying.byIds(sellerId, lineIds)
    },
  }
}

/** The buyer of a campaign sees all of its lines, everybody else only their own. */
function seenBy(
  organizationId: number,
  { id, buyer }: CampaignHead,
  { sold = false, archived = false }: LineScope,
): LinesSeen {
  return { campaignId: id, sellerId: buyer.id === organizationId && !sold ? null : organizationId, archived }
}

function headOf({ id, slug, name, buyerId, buyerSlug, buyerName, archived }: HeadRow): CampaignHead {
  return { id, slug, name, buyer: { id: buyerId, slug: buyerSlug, name: buyerName }, archived: archived === 1 }
}

function listedOf(row: ListedRow): ListedCampaign {
  return { ...headOf(row), createdAt: row.createdAt }
}
