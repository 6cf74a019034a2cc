import { formatMoment } from "../../../domain/time/moment.ts"
import type { AuditFilter, FoundEntries, ListedAuditEntry } from "../../../storage/port/store.ts"
import { Field, Select } from "../parts/field.tsx"
import { Time } from "../parts/format.tsx"
import { CsvLink, FilterBar, LongCode } from "../parts/list-bits.tsx"
import { type ListColumn, longListCsv } from "../parts/listing.ts"
import { Pager, Table } from "../parts/table.tsx"
import { Empty, Heading } from "../parts/widgets.tsx"
import { page } from "../respond.ts"
import { forOperator } from "../route.ts"
import type { PersonVisit } from "../visit.ts"
import { AUDIT } from "./navigation.ts"
import { beforeOf, given, timeSpanOf, withQuery } from "./time-span.ts"
import { ZONE } from "./zone.ts"

const PAGE_ROWS = 100
// Others are served between the parts.
const CSV_ROWS_AT_ONCE = 500

// Who is no person, in words.
const ACTORS: Readonly<Record<string, string>> = {
  command: "the command line",
  import: "an import",
  setup: "the set-up link",
}

export const actorOf = ({ actor, email }: ListedAuditEntry) => email ?? ACTORS[actor] ?? actor
const detailsOf = ({ details }: ListedAuditEntry) => (details === null ? "" : JSON.stringify(details))

const COLUMNS: readonly ListColumn<ListedAuditEntry>[] = [
  { title: "When", cell: ({ at }) => <Time at={at} zone={ZONE} />, value: ({ at }) => formatMoment(at) },
  { title: "Who", cell: actorOf, value: actorOf },
  { title: "What", cell: ({ action }) => action.replaceAll("_", " "), value: ({ action }) => action },
  { title: "On", cell: ({ subject }) => <code class="subject">{subject}</code>, value: ({ subject }) => subject },
  {
    title: "Organization",
    cell: ({ organization }) => organization ?? "",
    value: ({ organization }) => organization,
  },
  { title: "Details", cell: (entry) => <LongCode text={detailsOf(entry)} />, value: detailsOf },
]

async function filterOf({ url: { searchParams }, context: { store } }: PersonVisit): Promise<AuditFilter> {
  const { organization: slug } = given(searchParams, "organization")
  const organization = slug === undefined ? null : await store.organizations.findBySlug(slug)
  return {
    ...given(searchParams, "actor"),
    ...given(searchParams, "action"),
    ...given(searchParams, "text"),
    // A slug that names nothing finds nothing, rather than everything.
    ...(slug !== undefined && { organizationId: organization?.id ?? -1 }),
    ...timeSpanOf(searchParams),
  }
}

async function list(visit: PersonVisit): Promise<Response> {
  const { store } = visit.context
  const filter = await filterOf(visit)
  const isFiltered = Object.keys(filter).length > 0
  const before = beforeOf(visit.url.searchParams)
  const { entries: shown, before: older } = await store.audit.list(filter, { before, limit: PAGE_ROWS })
  return page(visit, {
    title: "Audit trail",
    active: AUDIT,
    body: (
      <>
        <Heading title="Audit trail" actions={<CsvLink href={`${AUDIT}.csv${visit.url.search}`} />}>
          <p class="soft">Who changed what, and when. Nothing here can be edited. Times are UTC.</p>
        </Heading>
        <FilterBar action={AUDIT} isFiltered={isFiltered}>
          <Filters visit={visit} actions={await store.audit.actions()} {...(await peopleOf(visit))} />
        </FilterBar>
        {shown.length === 0 ? (
          <NoChanges isFiltered={isFiltered} goesOn={older !== null} />
        ) : (
          <Table caption="Audit trail" columns={COLUMNS} rows={shown} rowKey={({ id }) => id} />
        )}
        <Pager
          previous={before === null ? null : withQuery(visit.url, "before", null)}
          next={older === null ? null : withQuery(visit.url, "before", String(older))}
          previousLabel="Newest"
          nextLabel={shown.length < PAGE_ROWS ? "Look further back" : "Older"}
        />
      </>
    ),
  })
}

function NoChanges({ isFiltered, goesOn }: { readonly isFiltered: boolean; readonly goesOn: boolean }) {
  if (!isFiltered) {
    return (
      <Empty title="Nothing has changed yet">
        <p>Every change that people make is kept here.</p>
      </Empty>
    )
  }
  return (
    <Empty title={goesOn ? "Nothing fits so far" : "Nothing fits"}>
      <p>{goesOn ? "Older changes have not been searched yet." : "Show all to see every change."}</p>
    </Empty>
  )
}

interface People {
  readonly people: readonly { readonly value: string; readonly label: string }[]
  readonly organizations: readonly { readonly value: string; readonly label: string }[]
}

async function peopleOf({ context: { store } }: PersonVisit): Promise<People> {
  const [users, organizations] = await Promise.all([store.users.list(), store.organizations.list()])
  return {
    people: [
      ...users.map(({ id, email }) => ({ value: `user:${id}`, label: email })),
      ...Object.entries(ACTORS).map(([value, label]) => ({ value, label })),
    ],
    organizations: organizations.map(({ slug, name }) => ({ value: slug, label: name })),
  }
}

interface FiltersProps extends People {
  readonly visit: PersonVisit
  readonly actions: readonly string[]
}

function Filters({ visit: { url }, actions, people, organizations }: FiltersProps) {
  const value = (name: string) => url.searchParams.get(name) ?? ""
  const any = { value: "", label: "Any" }
  const kinds = actions.map((action) => ({ value: action, label: action.replaceAll("_", " ") }))
  return (
    <>
      <Select name="actor" label="Who" value={value("actor")} choices={[any, ...people]} />
      <Select name="action" label="What" value={value("action")} choices={[any, ...kinds]} />
      <Select
        name="organization"
        label="Organization"
        value={value("organization")}
        choices={[any, ...organizations]}
      />
      <Field name="text" label="In subject or details" type="search" value={value("text")} />
      <Field name="from" label="From" type="date" value={value("from")} />
      <Field name="to" label="To" type="date" value={value("to")} />
    </>
  )
}

/** Everything that fits, newest first. */
async function* found(visit: PersonVisit): AsyncGenerator<readonly ListedAuditEntry[]> {
  const filter = await filterOf(visit)
  let before: number | null = null
  do {
    const part: FoundEntries = await visit.context.store.audit.list(filter, { before, limit: CSV_ROWS_AT_ONCE })
    yield part.entries
    before = part.before
  } while (before !== null)
}

export const auditRoutes = [
  forOperator("GET", AUDIT, list),
  forOperator("GET", `${AUDIT}.csv`, (visit) => longListCsv("audit-trail", COLUMNS, found(visit))),
]
