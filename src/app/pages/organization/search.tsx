import { codesEverOf } from "../../../storage/campaigns/affiliates.ts"
import { campaignsOf } from "../../../storage/campaigns/campaigns.ts"
import { linesBoughtBy, linesSoldBy, type StoredLine } from "../../../storage/campaigns/lines.ts"
import { storedProducts } from "../../../storage/catalogue/catalogue.ts"
import { allUsers, membersOf } from "../../../storage/people/users.ts"
import { campaignAddress, lineAddress } from "../../find.ts"
import { hasText } from "../../list.ts"
import { allEntries, menuGroups } from "../../menu/entries.ts"
import { page } from "../../page.tsx"
import { Badge, Card, Empty } from "../../parts/blocks.tsx"
import { formatNumber } from "../../parts/format.tsx"
import { SearchInput } from "../../parts/list.tsx"
import { homeOf, type MemberVisit } from "../../visit.ts"

interface Hit {
  readonly href: string
  readonly name: string
  /** What it belongs to. */
  readonly about: string
  /** Other texts that find it, such as its ID. */
  readonly ids: readonly string[]
  readonly isArchived?: boolean
}

interface HitGroup {
  readonly title: string
  readonly hits: readonly Hit[]
}

const SHOWN_OF_A_GROUP = 10

/** Finds everything that the visitor may see, by name or ID. */
export async function searchPage(visit: MemberVisit): Promise<Response> {
  const text = (visit.url.searchParams.get("q") ?? "").trim().slice(0, 100)
  const words = text.split(/\s+/).filter((word) => word !== "")
  const groups = words.length === 0 ? [] : (await allGroups(visit)).map((group) => matching(group, words))
  const found = groups.filter(({ hits }) => hits.length > 0)
  const body = (
    <>
      <search class="filters">
        <form action={visit.url.pathname}>
          <SearchInput what="everything" text={text} />
          <button type="submit" class="button primary">
            Search
          </button>
        </form>
      </search>
      {text !== "" && found.length === 0 && <Empty title="Nothing found" text="Try fewer letters, or another word." />}
      {found.map((group) => (
        <GroupCard group={group} />
      ))}
    </>
  )
  const intro =
    text === "" ? "Pages, campaigns, lines, affiliate codes, products and people, by name or ID." : undefined
  return page(visit, { title: text === "" ? "Search" : `Search: ${text}`, intro, body })
}

/** The hits with every word. Names that begin with the first word come first. */
function matching({ title, hits }: HitGroup, words: readonly string[]): HitGroup {
  const [first = ""] = words
  const all = hits.filter(({ name, about, ids }) => words.every((word) => hasText([name, about, ...ids], word)))
  const begins = ({ name }: Hit) => name.toLowerCase().startsWith(first.toLowerCase())
  return { title, hits: [...all.filter(begins), ...all.filter((hit) => !begins(hit))] }
}

async function allGroups(visit: MemberVisit): Promise<readonly HitGroup[]> {
  const lines = await seenLines(visit)
  return [
    { title: "Pages", hits: pageHits(visit) },
    { title: "Lines", hits: lines.map((line) => lineHit(visit, line)) },
    { title: "Campaigns", hits: await campaignHits(visit) },
    { title: "Affiliate codes", hits: await codeHits(visit, lines) },
    { title: "Products", hits: await productHits(visit) },
    { title: "People", hits: await peopleHits(visit) },
  ]
}

function pageHits({ menu }: MemberVisit): readonly Hit[] {
  const entries = menu === null ? [] : allEntries(menuGroups(menu))
  return entries.map(({ href, label }) => ({ href, name: label, about: "", ids: [] }))
}

/** Every line that the organization sells or buys, archived ones included. */
async function seenLines({ context, organization: { id } }: MemberVisit): Promise<readonly StoredLine[]> {
  const { read } = context.database
  const sold = await linesSoldBy(read, id, { withArchived: true })
  const bought = await linesBoughtBy(read, id, { withArchived: true })
  return [...sold, ...bought.filter(({ sellerId }) => sellerId !== id)]
}

const lineHit = (visit: MemberVisit, line: StoredLine): Hit => ({
  href: lineAddress(visit, line.campaign, line),
  name: line.name,
  about: line.campaign.name,
  ids: [line.packageId, line.externalId ?? ""],
  isArchived: line.isArchived,
})

async function campaignHits(visit: MemberVisit): Promise<readonly Hit[]> {
  const { context, organization } = visit
  const { read } = context.database
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
  const codes = await codesEverOf(visit.context.database.read, [...names.keys()])
  return [...Map.groupBy(codes, ({ codeId }) => codeId)].map(([id, ofCode]) => ({
    href: `${homeOf(visit)}/affiliates/${id}`,
    name: ofCode[0]?.code ?? "",
    about: ofCode.map(({ lineId }) => names.get(lineId)).join(", "),
    ids: ofCode.map(({ slug }) => slug ?? ""),
  }))
}

async function productHits({ context, user }: MemberVisit): Promise<readonly Hit[]> {
  const products = user.isOperator ? await storedProducts(context.database.read) : []
  return products.map(({ id, product }) => ({
    href: `/app/operator/products/${encodeURIComponent(id)}`,
    name: product.name,
    about: id,
    ids: [id],
  }))
}

/** An admin finds colleagues, and the operator finds every person. */
async function peopleHits(visit: MemberVisit): Promise<readonly Hit[]> {
  const { context, organization, role, user } = visit
  const { read } = context.database
  const people = user.isOperator ? await allUsers(read) : role === "admin" ? await membersOf(read, organization.id) : []
  return people.map(({ id, name, email }) => {
    const own = `${homeOf(visit)}/people?q=${encodeURIComponent(email)}`
    return { href: user.isOperator ? `/app/operator/users/${id}` : own, name, about: email, ids: [] }
  })
}

const GroupCard = ({ group: { title, hits } }: { readonly group: HitGroup }) => (
  <Card title={title} count={formatNumber(hits.length)} isFlush>
    <ul class="hits">
      {hits.slice(0, SHOWN_OF_A_GROUP).map(({ href, name, about, isArchived = false }) => (
        <li>
          <a href={href}>
            <span class="name">{name}</span> <span class="soft small">{about}</span>
            {isArchived && <Badge tone="off">Archived</Badge>}
          </a>
        </li>
      ))}
    </ul>
    {hits.length > SHOWN_OF_A_GROUP && (
      <p class="card-foot">The first {SHOWN_OF_A_GROUP}. Type more of the name to find the others.</p>
    )}
  </Card>
)
