import { ACTIVITY_DAYS, REJECTED_ITEMS_MAX } from "../../../domain/activity/feed-request.ts"
import { reasonWords } from "../../../domain/activity/reason-words.ts"
import { formatMoment, type Moment } from "../../../domain/time/moment.ts"
import type { ListedRejection } from "../../../storage/port/store.ts"
import { campaignsOf } from "../campaigns/with-line.ts"
import { Card, CsvLink, Submit } from "../parts/blocks.tsx"
import { FilterSelect } from "../parts/form/filters.tsx"
import { HiddenInputs } from "../parts/form/form.tsx"
import { formatNumber, Time } from "../parts/format.tsx"
import { BareTable, type Column, listCsv, offsetOf, Pages, withQuery } from "../parts/table.tsx"
import type { OrganizationVisit } from "../visit.ts"

const REJECTED_PER_PAGE = 25

/** Rejected items of the period by reason, also those that were not kept. */
type ByReason = Readonly<Record<string, number>>

/** The rejected items that were kept, each with what was sent. */
export async function rejectedItems(visit: OrganizationVisit, keyId: string, from: Moment, byReason: ByReason) {
  const { context, organization, url } = visit
  const reason = url.searchParams.get("reason") ?? ""
  const { items, rows } = await context.store.feedActivity.rejected(
    { organizationId: organization.id, keyId, from, ...(reason !== "" && { reason }) },
    { offset: offsetOf(url), limit: REJECTED_PER_PAGE },
  )
  const all = Object.values(byReason).reduce((sum, count) => sum + count, 0)
  return (
    <Card
      flush
      title="Rejected items"
      count={formatNumber(reason === "" ? all : (byReason[reason] ?? 0))}
      actions={
        <div class="actions no-print">
          <ReasonFilter url={url} byReason={byReason} />
          {rows > 0 && <CsvLink href={withQuery(csvUrl(url), "list", "rejected")} label="CSV" />}
        </div>
      }
    >
      {items.length === 0 ? (
        <p class="card-foot soft">Nothing was rejected in this period.</p>
      ) : (
        <BareTable caption="Rejected items, latest first" columns={columnsFor(visit)} rows={items} />
      )}
      <div class="card-foot stack tight">
        <Pages url={url} perPage={REJECTED_PER_PAGE} count={rows} what="rows" />
        <p class="soft small">
          The last {formatNumber(REJECTED_ITEMS_MAX)} are kept for {ACTIVITY_DAYS} days. Long runs are shortened, but
          every item is counted.
        </p>
      </div>
    </Card>
  )
}

function csvUrl(url: URL): URL {
  const file = new URL(url)
  file.pathname += ".csv"
  file.searchParams.delete("from")
  return file
}

function ReasonFilter({ url, byReason }: Readonly<{ url: URL; byReason: ByReason }>) {
  const reasons = Object.entries(byReason).toSorted(([, a], [, b]) => b - a)
  const labelOf = (reason: string, count: number) => `${reasonWords(reason).title} (${formatNumber(count)})`
  const choices = reasons.map(([value, count]) => ({ value, label: labelOf(value, count) }))
  const { key = "", period = "" } = Object.fromEntries(url.searchParams)
  return (
    <form class="actions" action={url.pathname}>
      <HiddenInputs values={{ key, period }} />
      <FilterSelect url={url} name="reason" label="Reason" any="All reasons" choices={choices} />
      <Submit kind="unscripted" label="Show" />
    </form>
  )
}

const columnsFor = (visit: OrganizationVisit): Column<ListedRejection>[] => [
  { title: "Received", cell: ({ at }) => <Time at={at} />, nowrap: true },
  {
    title: "Line",
    narrow: "span",
    value: ({ line }) => line?.name ?? "Unknown",
    href: ({ line }) => line && `${campaignsOf(visit)}/${line.campaign}/lines/${line.packageId}`,
  },
  { title: "Why it was rejected", narrow: "span", cell: Why },
  { title: "As sent", narrow: "actions", cell: (item) => <AsSent item={item} /> },
]

/** In our words; what is wrong with a field only the answer itself says. */
function Why({ reason, message, more }: ListedRejection) {
  const { title, text } = reasonWords(reason)
  const [first = ""] = text.split(/(?<=\.) /)
  return [
    <a href={`/docs/reasons#${reason}`}>{title}</a>,
    <br />,
    reason.startsWith("invalid") || first === "" ? <code class="wrap">{message}</code> : first,
    more > 0 && <span class="soft"> And {formatNumber(more)} more like this.</span>,
  ]
}

function AsSent({ item }: { readonly item: ListedRejection }) {
  const id = `item-${item.id}`
  return [
    <button class="button small quiet" type="button" popovertarget={id}>
      As sent
      <span class="vh">
        , <Time at={item.at} />
      </span>
    </button>,
    <div class="pop wide" id={id} popover="auto">
      <div class="stack tight">
        <h3>
          Sent on <Time at={item.at} />
        </h3>
        <pre class="code wrap">{item.sent}</pre>
        <p class="small soft">
          Feed: {item.feed}. Our answer: <code>{item.reason}</code>, <code>{item.message}</code>
        </p>
      </div>
    </div>,
  ]
}

const CSV_COLUMNS: readonly Column<ListedRejection>[] = [
  { title: "received", value: ({ at }) => formatMoment(at) },
  { title: "feed", value: ({ feed }) => feed },
  { title: "reason", value: ({ reason }) => reason },
  { title: "message", value: ({ message }) => message },
  { title: "package_id", value: ({ packageId, line }) => packageId ?? line?.packageId ?? null },
  { title: "code", value: ({ code }) => code },
  { title: "line", value: ({ line }) => line?.name ?? null },
  { title: "as_sent", value: ({ sent }) => sent },
  { title: "more_like_this", value: ({ more }) => more },
]

// Other requests are served between the parts.
const CSV_ROWS_AT_ONCE = 200

/** All of them that the filter of the page leaves; none without a key. */
export function rejectedCsv(visit: OrganizationVisit, name: string, keyId: string | undefined, from: Moment): Response {
  const { context, organization, now, url } = visit
  const reason = url.searchParams.get("reason") ?? ""
  // What arrives meanwhile would move the others.
  const span = { from, until: now + 1 }
  async function* parts() {
    if (keyId === undefined) return
    const filter = { organizationId: organization.id, keyId, ...span, ...(reason !== "" && { reason }) }
    for (let offset = 0; ; offset += CSV_ROWS_AT_ONCE) {
      const { items } = await context.store.feedActivity.rejected(filter, { offset, limit: CSV_ROWS_AT_ONCE })
      yield items
      if (items.length < CSV_ROWS_AT_ONCE) return
    }
  }
  return listCsv(name, CSV_COLUMNS, parts())
}
