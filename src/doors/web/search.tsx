import { inParts } from "../../domain/lists/in-parts.ts"
import { naturalKey } from "../../domain/lists/list-query.ts"
import { nextTurn } from "../../next-turn.ts"
import { SALES_TABS } from "./agent-sales/section.tsx"
import { campaignsOf } from "./campaigns/with-line.ts"
import { actionsOf, itemAddress, navigationOf, PRODUCT, USERS } from "./frame/navigation.ts"
import { forMember } from "./guards.ts"
import { ALL_GUIDES } from "./guides/pages.tsx"
import { Badge, Card, Empty, Submit } from "./parts/blocks.tsx"
import { SearchInput } from "./parts/form/filters.tsx"
import { formatNumber } from "./parts/format.tsx"
import { headedPage } from "./respond.tsx"
import type { OrganizationVisit } from "./visit.ts"

const QUERY_CHARACTERS_MAX = 100
const SHOWN_OF_A_KIND = 10
const CAMPAIGNS_AT_ONCE = 100
// Comparing these takes some 15 ms.
const HITS_AT_ONCE = 1_000

interface Hit {
  readonly href: string
  readonly name: string
  /** What it belongs to. */
  readonly about: string
  /** What else it is found by, such as its ID. */
  readonly also: readonly (string | null)[]
  readonly isArchived?: boolean
}

/** What was found of one kind: the best ones, and how many there are in all. */
type HitGroup = Readonly<{ title: string; count: number; best: readonly Hit[] }>

/** Those that have every word in one of their texts. Names that begin with the first word come first. */
async function hitGroupOf(title: string, hits: readonly Hit[], words: readonly string[]): Promise<HitGroup> {
  const fits = ({ name, also }: Hit) => {
    const keys = [name, ...also].map((text) => naturalKey(text ?? ""))
    return words.every((word) => keys.some((key) => key.includes(word)))
  }
  const matching: Hit[] = []
  for (const some of inParts(hits, HITS_AT_ONCE)) {
    matching.push(...some.filter(fits))
    await nextTurn()
  }
  const begins = ({ name }: Hit) => naturalKey(name).startsWith(words[0] ?? "")
  const best = [...matching.filter(begins), ...matching.filter((hit) => !begins(hit))].slice(0, SHOWN_OF_A_KIND)
  return { title, count: matching.length, best }
}

/** All that the visitor may see and whose name has the words. */
async function searchAll(visit: OrganizationVisit, query: string): Promise<readonly HitGroup[]> {
  const words = query.split(/\s+/).filter(Boolean).map(naturalKey)
  const [current, archived] = [await campaignHits(visit, false), await campaignHits(visit, true)]
  return [
    await hitGroupOf("Pages", pageHits(visit), words),
    await hitGroupOf("Lines", [...current.lines, ...archived.lines], words),
    await hitGroupOf("Campaigns", [...current.campaigns, ...archived.campaigns], words),
    await hitGroupOf("Affiliate codes", await codeHits(visit), words),
    await hitGroupOf("Products", await productHits(visit), words),
    await hitGroupOf("People", await peopleHits(visit), words),
    await hitGroupOf("Guides", GUIDE_HITS, words),
  ]
}

/** What can be opened and done: the menu, and the shortcuts. */
function pageHits({ place }: OrganizationVisit): Hit[] {
  if (place === null) return []
  const entries = navigationOf(place).flatMap(({ entries: all }) =>
    all.flatMap((entry) => [entry, ...(entry.below ?? [])]),
  )
  const all = [...actionsOf(place), ...entries, ...(place.isOperator ? SALES_TABS : [])].map(
    ({ href, label: name }) => ({ href, name, about: "", also: [] }),
  )
  return all.filter(({ href }, place) => all.findIndex((hit) => hit.href === href) === place)
}

async function campaignHits(visit: OrganizationVisit, isArchived: boolean) {
  const { id } = visit.organization
  const { campaigns: store } = visit.context.store
  const hrefOf = (slug: string) => `${campaignsOf(visit)}/${slug}`
  const heads = await store.list(id, isArchived)
  const campaigns = heads.map(
    ({ slug, name, buyer }): Hit => ({ href: hrefOf(slug), name, about: buyer.name, also: [slug], isArchived }),
  )
  const lines: Hit[] = []
  for (const some of inParts(heads, CAMPAIGNS_AT_ONCE)) {
    for (const { name, packageId, externalId, campaign } of await store.lineNames(id, some)) {
      const href = `${hrefOf(campaign.slug)}/lines/${packageId}`
      lines.push({ href, name, about: campaign.name, also: [externalId, packageId], isArchived })
    }
    await nextTurn()
  }
  return { campaigns, lines }
}

async function codeHits({ context, organization }: OrganizationVisit): Promise<Hit[]> {
  const codes = await context.store.campaigns.codeNames(organization.id)
  const hrefOf = (id: number) => `/app/o/${organization.slug}/affiliates/${id}`
  return codes.map(({ id, code, slug, line }) => ({ href: hrefOf(id), name: code, about: line, also: [slug] }))
}

async function productHits({ context, person }: OrganizationVisit): Promise<Hit[]> {
  const products = person.isOperator ? await context.store.catalogue.products() : []
  return products.map(({ productId, body }) => {
    const { name } = body as { readonly name: string }
    return { href: itemAddress(PRODUCT, productId), name, about: productId, also: [productId] }
  })
}

/** Colleagues, for an admin; everybody, for an operator. */
async function peopleHits({ context: { store }, organization, role, person }: OrganizationVisit): Promise<Hit[]> {
  if (person.isOperator) {
    const heads = await store.users.heads()
    return heads.map(({ id, name, email }) => ({ href: itemAddress(USERS, id), name, about: email, also: [email] }))
  }
  const members = role === "admin" ? await store.members.list(organization.id) : []
  const hrefOf = (id: number) => `/app/o/${organization.slug}/members/${id}`
  return members.map(({ userId, name, email }) => ({ href: hrefOf(userId), name, about: email, also: [email] }))
}

/** By what they are called and about. */
const GUIDE_HITS: readonly Hit[] = ALL_GUIDES.flatMap(({ entries }) =>
  entries.map(({ href, label, about }) => ({ href, name: label, about, also: [about] })),
)

async function searchPage(visit: OrganizationVisit): Promise<Response> {
  const query = (visit.url.searchParams.get("q") ?? "").slice(0, QUERY_CHARACTERS_MAX).trim()
  const groups = query === "" ? [] : (await searchAll(visit, query)).filter(({ count }) => count > 0)
  return headedPage(visit, {
    title: query === "" ? "Search" : `Search: ${query}`,
    heading: "Search",
    body: [
      <search class="filters">
        <form>
          <SearchInput name="q" what="everything" value={query} />
          <Submit kind="primary" label="Search" />
        </form>
      </search>,
      query === "" && (
        <p class="soft">Pages, campaigns, lines, affiliate codes, products, people and guides, by name or ID.</p>
      ),
      <div class="stack" id="hits">
        {query !== "" && groups.length === 0 && (
          <Empty title="Nothing found" text="Try fewer letters, or another word." />
        )}
        {groups.map(({ title, count, best }) => (
          <Card title={title} count={formatNumber(count)} flush>
            <Hits hits={best} />
            {count > best.length && (
              <p class="card-foot">The first {best.length}. Type more of the name to find the others.</p>
            )}
          </Card>
        ))}
      </div>,
    ],
  })
}

const Hits = ({ hits }: { readonly hits: readonly Omit<Hit, "also">[] }) => (
  <ul class="hits">
    {hits.map(({ href, name, about, isArchived = false }) => (
      <li>
        <a href={href}>
          <span class="name">{name}</span> <span class="soft small">{about}</span>
          {isArchived && <Badge>Archived</Badge>}
        </a>
      </li>
    ))}
  </ul>
)

export const searchRoutes = [forMember("GET", "/app/o/:org/search", searchPage)]
