import { Badge, ButtonLink, Card, CsvLink, Empty, TodoList } from "../../../../../src/doors/web/parts/blocks.tsx"
import { CodeChips } from "../../../../../src/doors/web/parts/form/choices.tsx"
import { FilterContext, FilterDate, SearchInput, Segments } from "../../../../../src/doors/web/parts/form/filters.tsx"
import { type Column, Pages, Table } from "../../../../../src/doors/web/parts/table.tsx"

interface Row {
  readonly label: string
  readonly prefix: string
  readonly requests: number
  readonly silent: boolean
}

const ROWS: readonly Row[] = [
  { label: "Ad server, hourly push", prefix: "abi_7hTzK2pL", requests: 269, silent: true },
  { label: "Podcast host, nightly export", prefix: "abi_Qm9FAwCz", requests: 14, silent: false },
  { label: `Long${"unbroken".repeat(12)}`, prefix: "abi_Zz8Yx7Wv", requests: 1_204_511, silent: false },
]

const HERE = "/app/components"
// The days of a filter, the wrong way round.
const BACKWARDS = new URL("http://here/?since=2026-11-14&until=2026-11-01")

const COLUMNS: readonly Column<Row>[] = [
  {
    title: "Label",
    cell: ({ label }) => (
      <a class="name" href={HERE}>
        {label}
      </a>
    ),
    sort: { href: HERE, now: "ascending" },
  },
  { title: "Prefix", cell: ({ prefix }) => <code>{prefix}…</code> },
  { title: "Countries", cell: ({ silent }) => <CodeChips codes={silent ? ["AT", "CH", "DE"] : ["*"]} /> },
  {
    title: "Requests",
    value: ({ requests }) => requests.toLocaleString("en"),
    numeric: true,
    sort: { href: HERE, now: null },
  },
  {
    title: "State",
    narrow: "corner",
    cell: ({ silent }) =>
      silent ? (
        <Badge tone="bad" shape="ring">
          Silent feed
        </Badge>
      ) : (
        <Badge tone="good">Reporting</Badge>
      ),
  },
  {
    title: "Actions",
    narrow: "actions",
    cell: ({ label }) => (
      <>
        <ButtonLink small kind="quiet" href={HERE} label="Rename" about={`Rename ${label}`} />
        <ButtonLink small kind="quiet danger" href={HERE} label="Revoke" about={`Revoke ${label}`} />
      </>
    ),
  },
]

export function Lists({ url }: { readonly url: URL }) {
  const states = ["All", "Running", "Ended"]
  return (
    <>
      <Card title="Needs your attention" flush>
        <TodoList
          todos={[
            {
              tone: "warn",
              icon: "down",
              subject: "City Walks, pre-roll",
              what: "is 17% behind plan",
              text: "At the pace of the last 7 days it ends at 350,949 of 420,000 (84%).",
              href: HERE,
              action: "Open line",
            },
            {
              tone: "bad",
              icon: "silent",
              subject: "Ad server, hourly push",
              what: "has been silent for 2 days",
              text: "It usually reports every hour.",
              href: HERE,
              action: "See activity",
            },
          ]}
        />
      </Card>
      <search class="filters">
        <form action={HERE}>
          <SearchInput name="q" what="campaigns and buyers" value="" />
          <Segments
            label="State"
            segments={states.map((label, i) => ({ href: HERE, label, count: String(61 - i), isCurrent: i === 0 }))}
          />
          <button type="submit" class="button unscripted">
            Show
          </button>
          <CsvLink href={HERE} />
        </form>
      </search>
      <search class="filters">
        <form action={HERE}>
          <FilterContext
            url={BACKWARDS}
            errors={{ until: "2026-11-01 is before 2026-11-14. Choose a later day, or swap the two." }}
          >
            <FilterDate name="since" label="From" />
            <FilterDate name="until" label="To" />
          </FilterContext>
          <button type="submit" class="button">
            Show
          </button>
        </form>
      </search>
      <Table
        caption="Keys, as an example"
        columns={COLUMNS}
        rows={ROWS}
        isCurrent={({ silent }) => silent}
        totals={{ Label: "All keys", Requests: "1,204,794" }}
      />
      <Table caption="The same, dense" columns={COLUMNS} rows={ROWS} dense />
      <Pages url={url} perPage={25} count={361} what="campaigns" />
      <Empty
        title="No campaigns yet"
        text="A campaign is what one buyer booked: a few lines with a price and a flight."
      >
        <ButtonLink kind="primary" href={HERE} label="New campaign" />
      </Empty>
    </>
  )
}
