import { ACTIVITY_DAYS } from "../../../domain/activity.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import { countRejectedItems, type ListedRejection, rejectedItems } from "../../../storage/operations/feed-activity.ts"
import { lineAddress } from "../../find.ts"
import { Card } from "../../parts/blocks.tsx"
import { ChoiceFilter, FilterBar } from "../../parts/filters.tsx"
import { formatNumber, Time } from "../../parts/format.tsx"
import { type Column, firstRow, Name, Pages, ROWS_PER_PAGE, Table } from "../../parts/table.tsx"
import type { MemberVisit } from "../../visit.ts"

type Counts = Readonly<Record<string, number>>

/**
 * The rejected items that were kept, each with its reason and what was sent. `byReason` counts all of the period,
 * including items that weren't kept.
 */
export async function rejectedItemsCard(visit: MemberVisit, apiKeyId: number, from: Moment, byReason: Counts) {
  const { read, organization, url } = visit
  const reason = url.searchParams.get("reason") || null
  const filter = { organizationId: organization.id, apiKeyId, from, reason }
  const items = await rejectedItems(read, filter, { limit: ROWS_PER_PAGE, offset: firstRow(url) })
  const kept = await countRejectedItems(read, filter)
  const all = Object.values(byReason).reduce((sum, each) => sum + each, 0)
  const count = reason === null ? all : (byReason[reason] ?? 0)
  const nothing = count === 0 ? "Nothing was rejected in this period." : "None of these items were kept."
  return (
    <Card title="Rejected items" count={formatNumber(count)} actions={reasonChoice(url, byReason)} isFlush>
      {items.length === 0 ? (
        <p class="card-foot">{nothing}</p>
      ) : (
        <Table caption="Rejected items, latest first" columns={columnsOf(visit)} rows={items} />
      )}
      <div class="card-foot stack tight">
        <Pages url={url} count={kept} name="kept items" />
        <p>Every item is counted. Up to five of each request and reason are kept, for {ACTIVITY_DAYS} days.</p>
      </div>
    </Card>
  )
}

function reasonChoice(url: URL, byReason: Counts) {
  const counts = Object.entries(byReason).toSorted(([, a], [, b]) => b - a)
  const reasons = counts.map(
    ([reason, count]) => [reason, `${reasonInWords(reason)} (${formatNumber(count)})`] as const,
  )
  return (
    <FilterBar url={url} fields={["reason"]}>
      <ChoiceFilter url={url} name="reason" label="Reason" choices={[["", "All reasons"], ...reasons]} />
    </FilterBar>
  )
}

const REASONS: Readonly<Record<string, string>> = {
  not_seller: "Not yours to report",
  before_flight_start: "Before the flight",
  as_of_in_future: "In the future",
  invalid_item: "Malformed",
  invalid_row: "Malformed",
  quantity_required: "Quantity missing",
  flat_rate_takes_no_quantity: "Flat rate with a quantity",
  duplicate_package_id: "Line more than once",
  date_in_future: "In the future",
  internal_error: "Error on our side",
}

const reasonInWords = (reason: string): string => REASONS[reason] ?? reason

const columnsOf = (visit: MemberVisit): Column<ListedRejection>[] => [
  { title: "Received", cell: ({ at }) => <Time at={at} /> },
  {
    title: "Line",
    onPhone: "span",
    cell: ({ lineName, campaign, packageId, code }) =>
      lineName === null || campaign === null || packageId === null ? (
        <span class="soft wrap">{code ?? packageId ?? "Unknown"}</span>
      ) : (
        <Name href={lineAddress(visit, { slug: campaign }, { packageId })}>{lineName}</Name>
      ),
  },
  {
    title: "Why it was rejected",
    onPhone: "wide",
    cell: ({ reason, message }) => (
      <>
        <a href={`/docs/errors#${reason}`}>{reasonInWords(reason)}</a>
        <small class="wrap">{message}</small>
      </>
    ),
  },
  {
    title: "As sent",
    onPhone: "span",
    cell: ({ sent, feed }) => (
      <details>
        <summary class="hint">As sent</summary>
        <code class="wrap">{sent}</code>
        <small>Feed: {feed}</small>
      </details>
    ),
  },
]
