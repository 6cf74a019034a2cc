import { type AuditEntry, auditEntries } from "../../../storage/audit.ts"
import { allOrganizations, type Organization } from "../../../storage/organizations.ts"
import { allUsers, type User } from "../../../storage/people/users.ts"
import { page } from "../../page.tsx"
import { ChoiceFilter, FilterBar, SearchInput } from "../../parts/filters.tsx"
import { Time } from "../../parts/format.tsx"
import { beforeIn, LOG_ROWS, LogView } from "../../parts/list.tsx"
import type { Column } from "../../parts/table.tsx"
import type { SignedInVisit } from "../../visit.ts"

/** Who changed what, and when. */
export async function changesPage(visit: SignedInVisit): Promise<Response> {
  const { url, read } = visit
  const { searchParams } = url
  const text = (searchParams.get("q") ?? "").trim().slice(0, 100)
  const users = await allUsers(read)
  const search = { before: beforeIn(url), actor: searchParams.get("who") || null, text, count: LOG_ROWS + 1 }
  const found = await auditEntries(read, search)
  const people = users.map(({ id, name }) => [`user:${id}`, name] as const)
  return page(visit, {
    title: "Changes",
    intro: "Who changed what, and when. Nothing here can be edited.",
    hasTimes: true,
    body: (
      <>
        <FilterBar url={url} fields={["q", "who"]}>
          <SearchInput what="changes" text={text} />
          <ChoiceFilter
            url={url}
            name="who"
            label="Who"
            choices={[["", "Anyone"], ...people, ...Object.entries(ACTORS)]}
          />
        </FilterBar>
        <LogView
          name="changes"
          columns={columnsFor(users, await allOrganizations(read))}
          found={found}
          url={url}
          empty="Everything that people change is listed here."
        />
      </>
    ),
  })
}

const ACTORS: Readonly<Record<string, string>> = {
  command: "Command line",
  setup: "Set-up",
  link: "Signed-out visitor",
  requester: "Buyer",
  import: "Import",
}

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
