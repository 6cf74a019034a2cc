import { formatMoment } from "../../../domain/time/moment.ts"
import type { AuditFilter, ListedAuditEntry } from "../../../storage/port/store.ts"
import { AUDIT } from "../frame/navigation.ts"
import { LongCode } from "../parts/blocks.tsx"
import { choicesOf } from "../parts/form/choices.tsx"
import { FilterSelect } from "../parts/form/filters.tsx"
import { Time } from "../parts/format.tsx"
import type { Column } from "../parts/table.tsx"
import { type PersonVisit, readId } from "../visit.ts"
import { logRoutes } from "./log-list.tsx"
import { given, timeSpanOf } from "./time-span.ts"

// Nobody chooses from more; searching for the name finds the rest.
const CHOICES_MAX = 200

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

export const auditRoutes = logRoutes<ListedAuditEntry, AuditFilter>({
  path: AUDIT,
  title: "Changes",
  intro: () => "Who changed what, and when. Nothing here can be edited.",
  searched: "subjects and details",
  caption: "Audit trail",
  columns: async () => COLUMNS,
  fileColumns: COLUMNS,
  what: "changes",
  emptyText: "Every change that people make is kept here.",
  file: "audit-trail",
  fileRowsAtOnce: 500,
  filterOf,
  filters: filtersOf,
  async read({ context }, filter, page) {
    const { entries, before } = await context.store.audit.list(filter, page)
    return { rows: entries, before }
  },
})
