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
import { isStorable } from "../../steps/step.ts"
import type { Connection } from "../engine/connection.ts"
import type { Session } from "../engine/session.ts"
import { type LinesSeen, linesAfter, linesFrom, oneLine } from "./campaign-lines.ts"
import { linesById, linesInFlight } from "./lines-in-flight.ts"
import { linesOfCampaign, linesOfCampaigns, listedInFlight, soldLines } from "./listed-lines.ts"

// Reads an index, newest first, and stops when the page is full. Whether an organization sells in a campaign is looked up in another
// index for each campaign; OFFSET 0 makes it so, or PostgreSQL would first collect all of its lines. Who sells few lines would wait for
// many lookups that find nothing, so those lines are collected.
const FEW_LINES = 1000
const seenCampaigns = (archived: boolean) => `WITH sold AS MATERIALIZED (
    SELECT l.campaign_id FROM package_line l WHERE l.seller_id = $1 LIMIT ${FEW_LINES + 1})
  SELECT c.id, c.slug, c.name, c.archived = 1 AS archived, c.created_at AS "createdAt", b.id AS "buyerId", b.slug AS "buyerSlug", b.name AS "buyerName"
  FROM campaign c JOIN organization b ON b.id = c.buyer_id
  WHERE c.archived = ${archived ? 1 : 0} AND (c.buyer_id = $1 OR CASE WHEN (SELECT count(*) FROM sold) <= ${FEW_LINES}
    THEN c.id IN (SELECT campaign_id FROM sold)
    ELSE EXISTS (SELECT 1 FROM package_line l WHERE l.campaign_id = c.id AND l.seller_id = $1 OFFSET 0) END)`
const NEWEST_FIRST = "ORDER BY c.created_at DESC, c.id DESC LIMIT $2"
const listSql = (archived: boolean) => `${seenCampaigns(archived)} ${NEWEST_FIRST} OFFSET $3`
const listAfterSql = (archived: boolean) =>
  `${seenCampaigns(archived)} AND (c.created_at, c.id) < ($3, $4) ${NEWEST_FIRST}`

const FIND = `SELECT c.id, c.slug, c.name, c.archived = 1 AS archived, b.id AS "buyerId", b.slug AS "buyerSlug", b.name AS "buyerName",
    EXISTS (SELECT 1 FROM package_line l WHERE l.campaign_id = c.id AND l.seller_id = $1) AS "ofOwn",
    EXISTS (SELECT 1 FROM package_line l WHERE l.campaign_id = c.id AND l.seller_id < $1)
      OR EXISTS (SELECT 1 FROM package_line l WHERE l.campaign_id = c.id AND l.seller_id > $1) AS "ofOthers"
  FROM campaign c JOIN organization b ON b.id = c.buyer_id WHERE c.slug = $2`

interface HeadRow extends Company {
  readonly archived: boolean
  readonly id: number
  readonly buyerId: number
  readonly buyerSlug: string
  readonly buyerName: string
}

type ListedRow = HeadRow & { readonly createdAt: Moment }
type FoundRow = HeadRow & { readonly ofOwn: boolean; readonly ofOthers: boolean }

export function campaigns(connection: Connection): Omit<CampaignReads, PlainRead> {
  const { read } = connection
  const listed = async (statement: string, values: number[]) =>
    (await read(({ rows }) => rows<ListedRow>(statement, values))).map(listedOf)
  return {
    list: (organizationId, { offset, limit, archived = false }) =>
      listed(listSql(archived), [organizationId, limit, offset]),
    listAfter: (organizationId, after, limit, archived = false) =>
      after === null
        ? listed(listSql(archived), [organizationId, limit, 0])
        : listed(listAfterSql(archived), [organizationId, limit, after.createdAt, after.id]),
    find: (organizationId, slug, choice) =>
      read(async (session) => {
        if (!isStorable(slug)) return null
        const [found] = await session.rows<FoundRow>(FIND, [organizationId, slug])
        if (found === undefined || !(found.ofOwn || found.buyerId === organizationId)) return null
        const head = headOf(found)
        const isSoleSeller = found.ofOwn && !found.ofOthers
        const lines = await chosen(session, organizationId, head, choice)
        return { ...head, sells: found.ofOwn, isSoleSeller, lines }
      }),
    summary: async (organizationId, campaign, scope, now) =>
      summaryOf(await read((session) => linesOfCampaign(session, seenBy(organizationId, campaign, scope))), now),
    lines: (organizationId, campaign, choice) =>
      read((session) => linesAfter(session, seenBy(organizationId, campaign, choice), choice.after, choice.limit)),
    listedLines: (organizationId, campaigns) => read((session) => linesOfCampaigns(session, organizationId, campaigns)),
    soldLines: (sellerId, after, limit) => read((session) => soldLines(session, sellerId, after, limit)),
    inFlight: (sellerId, range) => read((session) => linesInFlight(session, sellerId, range)),
    listedInFlight: (sellerId, range) => read((session) => listedInFlight(session, sellerId, range)),
    flyingLines: (sellerId, lineIds) => read((session) => linesById(session, sellerId, lineIds)),
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

async function chosen(
  session: Session,
  organizationId: number,
  head: CampaignHead,
  choice: LineChoice | undefined,
): Promise<ShownLine[]> {
  if (choice === undefined) return []
  if ("packageId" in choice) return oneLine(session, seenBy(organizationId, head, {}), choice.packageId)
  return linesFrom(session, seenBy(organizationId, head, choice), choice.offset, choice.limit)
}

function headOf({ id, slug, name, buyerId, buyerSlug, buyerName, archived }: HeadRow): CampaignHead {
  return { id, slug, name, buyer: { id: buyerId, slug: buyerSlug, name: buyerName }, archived }
}

function listedOf(row: ListedRow): ListedCampaign {
  return { ...headOf(row), createdAt: row.createdAt }
}
