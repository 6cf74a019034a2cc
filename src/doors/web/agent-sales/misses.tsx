import type { Product } from "../../../domain/adcp/schema/product/product.ts"
import type { AskedBrief } from "../../../domain/demand/demand-tally.ts"
import { channelsOf, type WhyNothing, whyNothing } from "../../../domain/demand/why-nothing.ts"
import { AGENT_KEY, AGENT_KEYS, itemAddress, PRODUCT, PRODUCTS, REQUEST } from "../frame/navigation.ts"
import { ButtonLink } from "../parts/blocks.tsx"
import { Ago, formatMoney, formatNumber, listInWords } from "../parts/format.tsx"
import type { PersonVisit } from "../visit.ts"
import { Reason } from "./answer.tsx"
import { openingHref } from "./opening.tsx"
import { channelInWords, countriesInWords } from "./words.ts"

export type Known = Awaited<ReturnType<typeof knownTo>>

/** What is known beside the briefs themselves. */
export async function knownTo({ context: { store } }: PersonVisit) {
  const stored = await store.catalogue.products()
  const products = new Map(stored.map(({ productId, body }) => [productId, (body ?? {}) as Partial<Product>]))
  const keys = await store.agentKeys.list()
  const active = keys.filter(({ revokedAt }) => revokedAt === null)
  return {
    keyNames: new Map(keys.map(({ id, label }) => [id, label])),
    productNames: new Map([...products].map(([id, { name = id }]) => [id, name])),
    offer: { products, openingsOf: new Map(active.map(({ id, openings }) => [id, openings])) },
    /** The page of the first key that is in use. */
    firstKey: active[0] && itemAddress(AGENT_KEY, active[0].id),
  }
}

/** A brief that found nothing, and the call to which a cure refers. */
type Miss = Pick<AskedBrief, "brief" | "agentKeyId" | "countries" | "formats" | "budget" | "lastId">

type MissProps = Readonly<{ miss: Miss; catalogue: Known }>

/** Briefs that found nothing, each with the likely reason and what to do about it. */
export const Misses = ({ briefs, catalogue }: Readonly<{ briefs: readonly AskedBrief[]; catalogue: Known }>) => (
  <ul class="misses">
    {briefs.map((brief) => (
      <li>
        <div class="stack tight">
          <h3>
            <a class="name" href={itemAddress(REQUEST, brief.lastId)}>
              “{brief.brief}”
            </a>
          </h3>
          <About brief={brief} catalogue={catalogue} />
          <WhyMissed miss={brief} catalogue={catalogue} />
        </div>
        <Cures miss={brief} catalogue={catalogue} />
      </li>
    ))}
  </ul>
)

function About({ brief, catalogue }: { readonly brief: AskedBrief; readonly catalogue: Known }) {
  const { agentKeyId, countries, budget, calls, lastAt } = brief
  const parts = [
    agentKeyId === null ? "Without a key" : (catalogue.keyNames.get(agentKeyId) ?? agentKeyId),
    <Ago at={lastAt} />,
    countriesInWords(countries),
    budget === null ? "" : formatMoney(budget.amount, budget.currency),
    calls === 1 ? "" : calls === 2 ? "asked twice" : `asked ${formatNumber(calls)} times`,
  ].filter((part) => part !== "")
  return <p class="small soft">{parts.flatMap((part, i) => (i === 0 ? [part] : [" · ", part]))}</p>
}

export const WhyMissed = ({ miss, catalogue }: MissProps) => (
  <Reason tone="warn">{whyInWords(whyNothing(miss, catalogue.offer), miss, catalogue)}</Reason>
)

const PLAINLY = {
  "no key": "Asked without a key. Products are shown only with a buyer’s key.",
  revoked: "The key that asked has been revoked since.",
  words: "No product shown to this buyer mentions what the brief asks for.",
}

function whyInWords(why: WhyNothing, { countries, formats, budget }: Miss, { productNames }: Known) {
  const there = countries.length === 0 ? "" : ` in ${countriesInWords(countries, "or")}`
  const mightFit = (id: string, but: string) => [<b>{productNames.get(id)}</b>, ` might fit, but ${but}`]
  if (why.why === "budget") {
    const [least, most] = [why.least, budget?.amount ?? 0].map((amount) => formatMoney(amount, why.currency))
    return mightFit(why.product, `costs ${least} or more. The budget is ${most}.`)
  }
  if (!("wouldFit" in why)) return PLAINLY[why.why]
  if (why.wouldFit !== undefined) return mightFit(why.wouldFit, `is hidden from this buyer${there}.`)
  if (why.why === "channel")
    return `You have no product for ${listInWords(channelsOf(formats).map(channelInWords), 4, "or")}.`
  return why.why === "country" ? `Nothing is shown to this buyer${there}.` : "No product is shown to this buyer."
}

/** The cheapest cure first. */
export const Cures = ({ miss, catalogue }: MissProps) => (
  <div class="actions">
    {[...curesOf(miss, whyNothing(miss, catalogue.offer))].map(([label, href], index) => {
      const quieter = index > 0 && ({ kind: "quiet" } as const)
      return <ButtonLink small {...quieter} href={href} label={label} about={`${label}: ${miss.brief}`} />
    })}
  </div>
)

function* curesOf({ agentKeyId, countries, lastId }: Miss, why: WhyNothing): Generator<[label: string, href: string]> {
  if (agentKeyId !== null && "wouldFit" in why && why.wouldFit !== undefined)
    yield ["Show to this buyer", openingHref(why.wouldFit, agentKeyId, countries)]
  if (why.why === "budget") yield ["Add a smaller price", `${itemAddress(PRODUCT, why.product)}#prices.0.price`]
  if (why.why === "no key" || why.why === "revoked") yield ["Create a buyer’s key", `${AGENT_KEYS}#new-key`]
  yield ["Draft a product for this", `${PRODUCTS}/new?for=${lastId}`]
}
