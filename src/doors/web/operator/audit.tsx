import { formatMoment } from "../../../domain/time/moment.ts"
import type { AuditFilter, ListedAuditEntry } from "../../../storage/port/store.ts"
import { AUDIT } from "../frame/navigation.ts"
import { fileOfPeriod, isReadable, periodOf } from "../lists.tsx"
import { everyPart } from "../paging.ts"
import { LongCode } from "../parts/blocks.tsx"
import { choicesOf } from "../parts/form/choices.tsx"
import { FilterSelect } from "../parts/form/filters.tsx"
import { Time } from "../parts/format.tsx"
import { headedPage } from "../parts/page.tsx"
import { type Column, longListCsv } from "../parts/table.tsx"
import { forOperator } from "../route.ts"
import { type PersonVisit, readId } from "../visit.ts"
import { LogList } from "./log-list.tsx"
import { beforeOf, given, timeSpanOf } from "./time-span.ts"

const PAGE_ROWS = 25
// Nobody chooses from more; searching for the name finds the rest.
const CHOICES_MAX = 200
// Other requests are served between the parts.
const CSV_ROWS_AT_ONCE = 500

// Actors that are not people.
const ACTORS: Readonly<Record<string, string>> = {
  command: "the command line",
  import: "an import",
  setup: "the set-up link",
}

export const actorOf = ({ actor, email }: ListedAuditEntry) => email ?? ACTORS[actor] ?? actor
const detailsOf = ({ details }: ListedAuditEntry) => (details === null ? "" : JSON.stringify(details))

const COLUMNS: readonly Column<ListedAuditEntry>[] = [
  { title: "When", cell: ({ at }) => <Time at={at} />, value: ({ at }) => formatMoment(at) },
  { title: "Who", value: actorOf },
  { title: "What", cell: ({ action }) => action.replaceAll("_", " "), value: ({ action }) => action },
  {
    title: "On",
    phone: "wide",
    cell: ({ subject }) => <code class="subject">{subject}</code>,
    value: ({ subject }) => subject,
  },
  { title: "Organization", value: ({ organization }) => organization },
  { title: "Details", phone: "wide", cell: (entry) => <LongCode text={detailsOf(entry)} />, value: detailsOf },
]

async function filterOf(visit: PersonVisit): Promise<AuditFilter> {
  const { store } = visit.context
  const { searchParams } = visit.url
  const { organization: slug } = given(searchParams, "organization")
  const organization = slug === undefined ? null : await store.organizations.findBySlug(slug)
  return {
    ...given(searchParams, "actor"),
    ...given(searchParams, "action"),
    ...given(searchParams, "text"),
    // An unknown slug matches nothing, rather than everything.
    ...(slug !== undefined && { organizationId: organization?.id ?? -1 }),
    ...timeSpanOf(visit),
  }
}

async function list(visit: PersonVisit): Promise<Response> {
  const { store } = visit.context
  const filter = await filterOf(visit)
  const before = beforeOf(visit.url.searchParams)
  const { entries, before: older } = isReadable(periodOf(visit.url))
    ? await store.audit.list(filter, { before, limit: PAGE_ROWS })
    : { entries: [], before: null }
  return headedPage(visit, {
    title: "Audit trail",
    active: AUDIT,
    intro: "Who changed what, and when. Nothing here can be edited.",
    body: (
      <LogList
        url={visit.url}
        action={AUDIT}
        filter={filter}
        searched="subjects and details"
        filters={await filtersOf(visit)}
        caption="Audit trail"
        columns={COLUMNS}
        rows={entries}
        limit={PAGE_ROWS}
        older={older}
        what="changes"
        emptyText="Every change that people make is kept here."
      />
    ),
  })
}

async function filtersOf({ url, context: { store } }: PersonVisit) {
  const users = await store.users.heads(null, CHOICES_MAX)
  const chosen = readId((url.searchParams.get("actor") ?? "").replace(/^user:/, ""))
  if (chosen !== null && !users.some(({ id }) => id === chosen)) users.push(...(await store.users.findByIds([chosen])))
  const organizations = await store.organizations.list(CHOICES_MAX)
  const people = [
    ...users.map(({ id, email }) => ({ value: `user:${id}`, label: email })),
    ...Object.entries(ACTORS).map(([value, label]) => ({ value, label })),
  ]
  const kinds = (await store.audit.actions()).map((value) => ({ value, label: value.replaceAll("_", " ") }))
  return (
    <>
      <FilterSelect url={url} name="actor" label="Who" any="Anybody" choices={people} />
      <FilterSelect url={url} name="action" label="What" any="Any change" choices={kinds} />
      <FilterSelect
        url={url}
        name="organization"
        label="Organization"
        any="Any organization"
        choices={choicesOf(organizations)}
      />
    </>
  )
}

/** Everything that matches, newest first. */
async function* found(visit: PersonVisit) {
  const filter = await filterOf(visit)
  const read = (before: number | null) => visit.context.store.audit.list(filter, { before, limit: CSV_ROWS_AT_ONCE })
  for await (const { entries } of everyPart("before", read)) yield entries
}

export const auditRoutes = [
  forOperator("GET", AUDIT, list),
  forOperator(
    "GET",
    `${AUDIT}.csv`,
    fileOfPeriod(
      () => AUDIT,
      (visit) => longListCsv("audit-trail", COLUMNS, found(visit)),
    ),
  ),
]
