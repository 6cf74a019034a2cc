import { type AuditEntry, auditEntries } from "../../../storage/audit.ts"
import { allOrganizations, type Organization } from "../../../storage/organizations.ts"
import { allUsers, type User } from "../../../storage/people/users.ts"
import { listAddress } from "../../list.ts"
import { page } from "../../page.tsx"
import { ButtonLink, Empty } from "../../parts/blocks.tsx"
import { Time } from "../../parts/format.tsx"
import { SearchInput } from "../../parts/list.tsx"
import { type Column, Table } from "../../parts/table.tsx"
import type { SignedInVisit } from "../../visit.ts"

const ENTRIES_PER_PAGE = 50

/** Who changed what, and when. */
export async function changesPage(visit: SignedInVisit): Promise<Response> {
  const { url, context } = visit
  const { read } = context.database
  const { searchParams } = url
  const text = (searchParams.get("q") ?? "").trim().slice(0, 100)
  const actor = searchParams.get("who") || null
  const users = await allUsers(read)
  // Reads one more, to know whether there are older entries.
  const found = await auditEntries(read, { before: beforeIn(url), actor, text, count: ENTRIES_PER_PAGE + 1 })
  const entries = found.slice(0, ENTRIES_PER_PAGE)
  const last = entries.at(-1)
  const columns = columnsFor(users, await allOrganizations(read))
  const body = (
    <>
      <search class="filters no-print">
        <form action={url.pathname}>
          <SearchInput what="changes" text={text} />
          <WhoSelect users={users} actor={actor} />
          <button type="submit" class="button unscripted">
            Show
          </button>
        </form>
      </search>
      {entries.length === 0 ? (
        <Empty title="No changes found" text="Everything that people change is listed here." />
      ) : (
        <div class="card flush">
          <Table caption="Changes" columns={columns} rows={entries} />
        </div>
      )}
      {found.length > ENTRIES_PER_PAGE && last !== undefined && (
        <div class="actions">
          <ButtonLink href={listAddress(url, "before", String(last.id))} label="Older changes" />
        </div>
      )}
    </>
  )
  const intro = "Who changed what, and when. Nothing here can be edited."
  return page(visit, { title: "Changes", intro, hasTimes: true, body })
}

function beforeIn({ searchParams }: URL): number {
  const before = searchParams.get("before") ?? ""
  return /^\d{1,15}$/.test(before) ? Number(before) : Number.MAX_SAFE_INTEGER
}

const ACTORS: Readonly<Record<string, string>> = {
  command: "Command line",
  setup: "Set-up",
  link: "Signed-out visitor",
  requester: "Buyer",
  import: "Import",
}

interface WhoProps {
  readonly users: readonly User[]
  readonly actor: string | null
}

const WhoSelect = ({ users, actor }: WhoProps) => (
  <select name="who" aria-label="Who" data-go>
    <option value="">Anyone</option>
    {users.map(({ id, name }) => (
      <option value={`user:${id}`} selected={actor === `user:${id}`}>
        {name}
      </option>
    ))}
    {Object.entries(ACTORS).map(([value, label]) => (
      <option value={value} selected={actor === value}>
        {label}
      </option>
    ))}
  </select>
)

function columnsFor(users: readonly User[], organizations: readonly Organization[]): Column<AuditEntry>[] {
  const people = new Map(users.map(({ id, name }) => [`user:${id}`, name]))
  const names = new Map(organizations.map(({ id, name }) => [id, name]))
  return [
    { title: "Who", cell: ({ actor }) => ACTORS[actor] ?? people.get(actor) ?? actor },
    { title: "Change", cell: ({ text }) => text, onPhone: "wide" },
    { title: "Organization", cell: ({ organizationId }) => names.get(organizationId ?? 0) ?? "" },
    { title: "Time", cell: ({ at }) => <Time at={at} /> },
  ]
}
