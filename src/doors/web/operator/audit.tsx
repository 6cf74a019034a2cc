import { listFormats } from "../../../actions/catalogue/list-formats.ts"
import { formatMoment } from "../../../domain/time/moment.ts"
import type { ListedAuditEntry } from "../../../storage/port/store.ts"
import { AUDIT } from "../frame/navigation.ts"
import { FilterSelect } from "../parts/form/filters.tsx"
import { Clock } from "../parts/format.tsx"
import type { Column } from "../parts/table.tsx"
import { type PersonVisit, readId } from "../visit.ts"
import { ACTORS, type Names, sentenceOf } from "./audit-words.ts"
import { logRoutes, queryValues, timeSpanOf } from "./log-list.tsx"

// Nobody chooses from more; searching for the name finds the rest.
const CHOICES_MAX = 200

const actorOf = ({ actor, email }: ListedAuditEntry) => email ?? ACTORS[actor] ?? actor
const detailsOf = ({ details }: ListedAuditEntry) => (details === null ? "" : JSON.stringify(details))

const columnsFor = (names: Names): readonly Column<ListedAuditEntry>[] => [
  { title: "Change", cell: (entry) => <Sentence entry={entry} names={names} /> },
  { title: "Time", cell: ({ at }) => <Clock at={at} />, nowrap: true },
  { title: "Organization", cell: ({ organization: of }) => of && (names.others.get(`organization ${of}`) ?? of) },
]

/** What was done; who wants to know more opens it. */
const Sentence = ({ entry, names }: { readonly entry: ListedAuditEntry; readonly names: Names }) => (
  <details class="long-code">
    <summary>{sentenceOf(entry, names)}</summary>
    <code class="wrap subject">
      {entry.subject} {detailsOf(entry)}
    </code>
  </details>
)

const FILE_COLUMNS: readonly Column<ListedAuditEntry>[] = [
  { title: "When", value: ({ at }) => formatMoment(at) },
  { title: "Who", value: actorOf },
  { title: "What", value: ({ action }) => action },
  { title: "On", value: ({ subject }) => subject },
  { title: "Organization", value: ({ organization }) => organization },
  { title: "Details", value: detailsOf },
]

/** People by who changed something, or was changed; buyers' keys and products by what they are called. */
async function namesIn({ context }: PersonVisit, rows: readonly ListedAuditEntry[]): Promise<Names> {
  const { store } = context
  const mentioned = rows.flatMap(({ actor, subject }) => [actor, subject])
  const ids = mentioned.flatMap((text) => (text.startsWith("user:") ? (readId(text.slice("user:".length)) ?? []) : []))
  const people = await store.users.findByIds([...new Set(ids)])
  const keys = await store.agentKeys.list()
  const products = await store.catalogue.products()
  const sellers = new Set(rows.flatMap(({ organizationId }) => organizationId ?? []))
  const campaigns = await Promise.all(
    [...sellers].flatMap((id) => [false, true].map((archived) => store.campaigns.list(id, archived))),
  )
  const organizations = await store.organizations.list()
  const formats = await listFormats(context)
  return {
    people: new Map(people.map(({ id, name }) => [`user:${id}`, name])),
    keys: new Map(keys.map(({ id, label }) => [id, label])),
    products: new Map(products.map(({ productId: id, body }) => [id, (body as { name?: string }).name ?? id])),
    others: new Map([
      ...campaigns.flat().map(({ slug, name }) => [`campaign ${slug}`, name] as const),
      ...organizations.map(({ slug, name }) => [`organization ${slug}`, name] as const),
      ...formats.map(({ id, name }) => [`format ${id}`, name] as const),
    ]),
  }
}

async function whoFilter({ url, context: { store } }: PersonVisit) {
  const users = await store.users.heads(CHOICES_MAX)
  const chosen = readId((url.searchParams.get("actor") ?? "").replace(/^user:/, ""))
  if (chosen !== null && !users.some(({ id }) => id === chosen)) users.push(...(await store.users.findByIds([chosen])))
  const people = [
    ...users.map(({ id, email }) => ({ value: `user:${id}`, label: email })),
    ...Object.entries(ACTORS).map(([value, label]) => ({ value, label })),
  ]
  return <FilterSelect url={url} name="actor" label="Who" any="Anybody" choices={people} />
}

export const auditRoutes = logRoutes<ListedAuditEntry>({
  path: AUDIT,
  title: "Changes",
  intro: () => "Who changed what, and when. Nothing here can be edited.",
  searched: "names and details",
  columns: async (visit, rows) => columnsFor(await namesIn(visit, rows)),
  fileColumns: FILE_COLUMNS,
  what: "changes",
  emptyText: "Every change that people make is kept here.",
  file: "audit-trail",
  fileRowsAtOnce: 500,
  filters: whoFilter,
  async read(visit, page) {
    const filter = { ...queryValues(visit.url, "actor", "text"), ...timeSpanOf(visit) }
    const { entries, before } = await visit.context.store.audit.list(filter, page)
    return { rows: entries, before }
  },
})
