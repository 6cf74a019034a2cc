import { nextTurn } from "../../domain/event-loop.ts"
import { naturalKey } from "../../domain/lists/list-query.ts"
import { at, PRODUCT, USERS } from "./frame/navigation.ts"
import { QUERY_CHARACTERS_MAX, searchGuides } from "./guides/search-guides.ts"
import { inParts } from "./paging.ts"
import { Card } from "./parts/blocks.tsx"
import { Badge, Empty } from "./parts/feedback.tsx"
import { SearchInput } from "./parts/form/filters.tsx"
import { formatNumber } from "./parts/format.tsx"
import { headedPage } from "./parts/page.tsx"
import { forMember } from "./route.ts"
import type { OrganizationVisit } from "./visit.ts"

const SHOWN_OF_A_KIND = 10
const CAMPAIGNS_AT_ONCE = 100
const NAMES_AT_ONCE = 1_000

interface Hit {
  readonly href: string
  readonly name: string
  /** What it belongs to. */
  readonly about: string
  readonly isArchived?: boolean
}

/** What was found of one kind: the best ones, and how many there are in all. */
class Found {
  count = 0
  readonly title: string
  readonly #words: readonly string[]
  #best: (Hit & { readonly rank: number })[] = []

  constructor(title: string, words: readonly string[]) {
    this.title = title
    this.#words = words
  }

  /** Keeps it if every word is in one of the texts. Names that begin with the first word come first. */
  add(texts: readonly (string | null)[], hit: () => Hit): void {
    const keys = texts.map((text) => naturalKey(text ?? ""))
    if (!this.#words.every((word) => keys.some((key) => key.includes(word)))) return
    this.count += 1
    const rank = keys[0]?.startsWith(this.#words[0] ?? "") === true ? 0 : 1
    if (this.#best.length >= SHOWN_OF_A_KIND && rank >= (this.#best.at(-1)?.rank ?? 0)) return
    this.#best = [...this.#best, { ...hit(), rank }]
      .sort((one, other) => one.rank - other.rank)
      .slice(0, SHOWN_OF_A_KIND)
  }

  get best(): readonly Hit[] {
    return this.#best
  }
}

/** All that the visitor may see and whose name has the words. Read part by part, so that nobody else waits for it. */
async function searchAll(visit: OrganizationVisit, query: string): Promise<readonly Found[]> {
  const words = query.split(/\s+/).filter(Boolean).map(naturalKey)
  const of = (title: string) => new Found(title, words)
  const [campaigns, lines, codes, products, people] = [
    of("Campaigns"),
    of("Lines"),
    of("Affiliate codes"),
    of("Products"),
    of("People"),
  ]
  for (const archived of [false, true]) await searchCampaigns(visit, archived, campaigns, lines)
  await searchCodes(visit, codes)
  await searchPeople(visit, people)
  if (visit.person.isOperator)
    for (const { productId, body } of await visit.context.store.catalogue.products()) {
      const { name } = body as { readonly name: string }
      products.add([name, productId], () => ({ href: at(PRODUCT, productId), name, about: productId }))
    }
  return [lines, campaigns, codes, products, people]
}

async function searchCampaigns(visit: OrganizationVisit, isArchived: boolean, campaigns: Found, lines: Found) {
  const { store } = visit.context
  const { id, slug: organization } = visit.organization
  const hrefOf = (slug: string) => `/app/o/${organization}/campaigns/${slug}`
  const listed = await store.campaigns.list(id, isArchived)
  for (const { slug, name, buyer } of listed)
    campaigns.add([name, slug], () => ({ href: hrefOf(slug), name, about: buyer.name, isArchived }))
  for (let from = 0; from < listed.length; from += CAMPAIGNS_AT_ONCE) {
    const some = listed.slice(from, from + CAMPAIGNS_AT_ONCE)
    for (const { name, packageId, externalId, campaign } of await store.campaigns.lineNames(id, some))
      lines.add([name, externalId, packageId], () => ({
        href: `${hrefOf(campaign.slug)}/lines/${packageId}`,
        name,
        about: campaign.name,
        isArchived,
      }))
    await nextTurn()
  }
}

async function searchCodes({ context, organization }: OrganizationVisit, found: Found): Promise<void> {
  const read = (after: { readonly code: string } | null) =>
    context.store.campaigns.codeNames(organization.id, after?.code ?? "", NAMES_AT_ONCE)
  for await (const part of inParts(NAMES_AT_ONCE, read)) {
    for (const { id, code, slug, line } of part)
      found.add([code, slug], () => ({ href: `/app/o/${organization.slug}/affiliates/${id}`, name: code, about: line }))
    await nextTurn()
  }
}

/** Colleagues, for an admin; everybody, for an operator. */
async function searchPeople({ context, organization, role, person }: OrganizationVisit, found: Found): Promise<void> {
  const { store } = context
  if (person.isOperator) {
    const read = (after: { readonly id: number } | null) => store.users.heads(after?.id ?? null, NAMES_AT_ONCE)
    for await (const part of inParts(NAMES_AT_ONCE, read))
      for (const { id, name, email } of part)
        found.add([name, email], () => ({ href: at(USERS, id), name, about: email }))
  } else if (role === "admin")
    for (const { userId, name, email } of await store.members.list(organization.id))
      found.add([name, email], () => ({ href: `/app/o/${organization.slug}/members/${userId}`, name, about: email }))
}

async function searchPage(visit: OrganizationVisit): Promise<Response> {
  const { url, origin } = visit
  const query = (url.searchParams.get("q") ?? "").slice(0, QUERY_CHARACTERS_MAX).trim()
  const found = query === "" ? [] : (await searchAll(visit, query)).filter(({ count }) => count > 0)
  const guides = query === "" ? [] : (await searchGuides(query, { origin, agent: `${origin}/` })).slice(0, 5)
  const isEmpty = found.length === 0 && guides.length === 0
  return headedPage(visit, {
    title: query === "" ? "Search" : `Search: ${query}`,
    heading: "Search",
    body: (
      <>
        <search class="filters">
          <form>
            <SearchInput name="q" what="everything" value={query} />
            <button type="submit" class="button primary">
              Search
            </button>
          </form>
        </search>
        {query === "" && (
          <p class="soft">Campaigns, lines, affiliate codes, products, people and guides, by name or ID.</p>
        )}
        {query !== "" && isEmpty && <Empty title="Nothing found" text="Try fewer letters, or another word." />}
        {found.map((kind) => (
          <Kind key={kind.title} kind={kind} />
        ))}
        {guides.length > 0 && (
          <Card title="Guides" flush>
            <ul class="hits">
              {guides.map(({ href, title, guide }) => (
                <HitRow key={href} hit={{ href, name: title, about: guide }} />
              ))}
            </ul>
          </Card>
        )}
      </>
    ),
  })
}

function Kind({ kind: { title, count, best } }: { readonly kind: Found }) {
  return (
    <Card
      title={
        <>
          {title} <span class="soft plain">{formatNumber(count)}</span>
        </>
      }
      flush
    >
      <ul class="hits">
        {best.map((hit) => (
          <HitRow key={hit.href} hit={hit} />
        ))}
      </ul>
      {count > best.length && (
        <p class="card-foot">The first {best.length}. Type more of the name to find the others.</p>
      )}
    </Card>
  )
}

function HitRow({ hit: { href, name, about, isArchived = false } }: { readonly hit: Hit }) {
  return (
    <li>
      <a href={href}>
        <span class="name">{name}</span> <span class="soft small">{about}</span>
        {isArchived && <Badge>Archived</Badge>}
      </a>
    </li>
  )
}

export const searchRoutes = [forMember("GET", "/app/o/:org/search", searchPage)]
