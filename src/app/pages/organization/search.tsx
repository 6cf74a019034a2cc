import { codesEverOf } from "../../../storage/campaigns/affiliates.ts"
import { campaignsOf } from "../../../storage/campaigns/campaigns.ts"
import type { StoredLine } from "../../../storage/campaigns/lines.ts"
import { storedProducts } from "../../../storage/catalogue/catalogue.ts"
import { allUsers, membersOf } from "../../../storage/people/users.ts"
import { campaignAddress, lineAddress, seenLines } from "../../find.ts"
import { hasText } from "../../list.ts"
import { allEntries } from "../../menu/entries.ts"
import { page } from "../../page.tsx"
import { Badge, Card, Empty } from "../../parts/blocks.tsx"
import { SearchInput } from "../../parts/filters.tsx"
import { formatNumber } from "../../parts/format.tsx"
import { homeOf, type MemberVisit } from "../../visit.ts"

interface Hit {
  readonly href: string
  readonly name: string
  /** What it belongs to. */
  readonly about?: string
  /** Other texts that find it, such as its ID. */
  readonly ids?: readonly string[]
  readonly isArchived?: boolean
}

const SHOWN_OF_A_GROUP = 10

/** Finds everything that the visitor may see, by name or ID. */
export async function searchPage(visit: MemberVisit): Promise<Response> {
  const text = (visit.url.searchParams.get("q") ?? "").trim().slice(0, 100)
  const groups = text === "" ? {} : await allHits(visit)
  const found = Object.entries(groups)
    .map(([title, hits]) => ({ title, hits: matching(hits, text.split(/\s+/)) }))
    .filter(({ hits }) => hits.length > 0)
  const isNothing = text !== "" && found.length === 0
  return page(visit, {
    title: text === "" ? "Search" : `Search: ${text}`,
    intro: text === "" ? "Pages, campaigns, lines, affiliate codes, products and people, by name or ID." : undefined,
    body: (
      <>
        <search class="filters">
          <form action={visit.url.pathname}>
            <SearchInput what="everything" text={text} />
            <button type="submit" class="button primary">
              Search
            </button>
          </form>
        </search>
        {isNothing && <Empty title="Nothing found" text="Try fewer letters, or another word." />}
        {found.map(({ title, hits }) => (
          <Card title={title} count={formatNumber(hits.length)} isFlush>
            <ul class="hits">{hits.slice(0, SHOWN_OF_A_GROUP).map(hitRow)}</ul>
            {hits.length > SHOWN_OF_A_GROUP && (
              <p class="card-foot">The first {SHOWN_OF_A_GROUP}. Type more of the name to find the others.</p>
            )}
          </Card>
        ))}
      </>
    ),
  })
}

const hitRow = ({ href, name, about, isArchived = false }: Hit) => (
  <li>
    <a href={href}>
      <span class="name">{name}</span> <span class="soft">{about}</span>
      {isArchived && <Badge tone="off" label="Archived" />}
    </a>
  </li>
)

/** The hits with every word. Names that begin with the first word come first. */
function matching(hits: readonly Hit[], words: readonly string[]): readonly Hit[] {
  const all = hits.filter(({ name, about = "", ids = [] }) =>
    words.every((word) => hasText([name, about, ...ids], word)),
  )
  const begins = ({ name }: Hit) => name.toLowerCase().startsWith(words[0]?.toLowerCase() ?? "")
  return [...all.filter(begins), ...all.filter((hit) => !begins(hit))]
}

async function allHits(visit: MemberVisit): Promise<Readonly<Record<string, readonly Hit[]>>> {
  const { read, menu, user } = visit
  const lines = await seenLines(visit)
  const pages = menu === null ? [] : allEntries(menu)
  const products = user.isOperator ? await storedProducts(read) : []
  return {
    Pages: pages.map(({ href, label }) => ({ href, name: label })),
    Lines: lines.map((line) => ({
      href: lineAddress(visit, line.campaign, line),
      name: line.name,
      about: line.campaign.name,
      ids: [line.packageId, line.externalId ?? ""],
      isArchived: line.isArchived,
    })),
    Campaigns: await campaignHits(visit),
    "Affiliate codes": await codeHits(visit, lines),
    Products: products.map(({ id, product }) => ({
      href: `/app/operator/products/${encodeURIComponent(id)}`,
      name: product.name,
      about: id,
    })),
    People: await peopleHits(visit),
  }
}

async function campaignHits(visit: MemberVisit): Promise<readonly Hit[]> {
  const { read, organization } = visit
  const current = await campaignsOf(read, organization.id)
  const archived = await campaignsOf(read, organization.id, { isArchived: true })
  return [...current, ...archived].map((campaign) => ({
    href: campaignAddress(visit, campaign),
    name: campaign.name,
    about: campaign.buyer,
    ids: [campaign.slug],
    isArchived: campaign.isArchived,
  }))
}

/** The codes of these lines. A code that was moved is one hit, with each line that it's seen on. */
async function codeHits(visit: MemberVisit, lines: readonly StoredLine[]): Promise<readonly Hit[]> {
  const names = new Map(lines.map(({ id, name }) => [id, name]))
  const codes = await codesEverOf(visit.read, [...names.keys()])
  return [...Map.groupBy(codes, ({ codeId }) => codeId)].map(([id, ofCode]) => ({
    href: `${homeOf(visit)}/affiliates/${id}`,
    name: ofCode[0]?.code ?? "",
    about: ofCode.map(({ lineId }) => names.get(lineId)).join(", "),
    ids: ofCode.map(({ slug }) => slug ?? ""),
  }))
}

/** An admin finds colleagues, and the operator finds every person. */
async function peopleHits(visit: MemberVisit): Promise<readonly Hit[]> {
  const { read, organization, role, user } = visit
  if (user.isOperator) {
    const users = await allUsers(read)
    return users.map(({ id, name, email }) => ({ href: `/app/operator/users/${id}`, name, about: email }))
  }
  const members = role === "admin" ? await membersOf(read, organization.id) : []
  return members.map(({ name, email }) => {
    return { href: `${homeOf(visit)}/people?q=${encodeURIComponent(email)}`, name, about: email }
  })
}
