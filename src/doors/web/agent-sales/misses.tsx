import type { Product } from "../../../domain/adcp/schema/product/product.ts"
import type { AskedBrief } from "../../../domain/demand/demand-tally.ts"
import { type Offer, type WhyNothing, whyNothing } from "../../../domain/demand/why-nothing.ts"
import { AGENT_KEY, AGENT_KEYS, at, PRODUCT, PRODUCTS, REQUEST } from "../frame/navigation.ts"
import { ButtonLink } from "../parts/buttons.tsx"
import { Ago, formatMoney, formatNumber } from "../parts/format.tsx"
import type { PersonVisit } from "../visit.ts"
import { Reason } from "./answer.tsx"
import { openingHref } from "./opening.tsx"
import { channelInWords, countriesInWords, listed } from "./words.ts"

/** What is known beside the briefs themselves. */
export interface Known {
  readonly offer: Offer
  readonly keyNames: ReadonlyMap<string, string>
  readonly productNames: ReadonlyMap<string, string>
  /** The page of the first key that is in use. */
  readonly firstKey: string | undefined
}

export async function knownTo({ context: { store } }: PersonVisit): Promise<Known> {
  const stored = await store.catalogue.products()
  const products = new Map(stored.map(({ productId, body }) => [productId, (body ?? {}) as Partial<Product>]))
  const keys = await store.agentKeys.list()
  const active = keys.filter(({ revokedAt }) => revokedAt === null)
  return {
    keyNames: new Map(keys.map(({ id, label }) => [id, label])),
    productNames: new Map([...products].map(([id, { name = id }]) => [id, name])),
    offer: { products, openingsOf: new Map(active.map(({ id, openings }) => [id, openings])) },
    firstKey: active[0] && at(AGENT_KEY, active[0].id),
  }
}

/** A brief that found nothing, and the call to which a cure refers. */
type Miss = Pick<AskedBrief, "brief" | "agentKeyId" | "countries" | "formats" | "budget" | "currency" | "lastId">

type MissProps = Readonly<{ miss: Miss; known: Known }>

/** Briefs that found nothing, each with the likely reason and what to do about it. */
export function Misses({ briefs, known }: { readonly briefs: readonly AskedBrief[]; readonly known: Known }) {
  return (
    <ul class="misses">
      {briefs.map((brief) => (
        <li key={brief.lastId}>
          <div class="stack tight">
            <h3>
              <a class="name" href={at(REQUEST, brief.lastId)}>
                “{brief.brief}”
              </a>
            </h3>
            <About brief={brief} known={known} />
            <WhyMissed miss={brief} known={known} />
          </div>
          <Cures miss={brief} known={known} />
        </li>
      ))}
    </ul>
  )
}

function About({ brief, known }: { readonly brief: AskedBrief; readonly known: Known }) {
  const { agentKeyId, countries, budget, currency, asked, lastAt } = brief
  const parts = [
    agentKeyId === null ? "Without a key" : (known.keyNames.get(agentKeyId) ?? agentKeyId),
    <Ago at={lastAt} key="at" />,
    countriesInWords(countries),
    budget === null ? "" : formatMoney(budget, currency),
    asked === 1 ? "" : asked === 2 ? "asked twice" : `asked ${formatNumber(asked)} times`,
  ].filter((part) => part !== "")
  return <p class="small soft">{parts.flatMap((part, i) => (i === 0 ? [part] : [" · ", part]))}</p>
}

export const WhyMissed = ({ miss, known }: MissProps) => (
  <Reason tone="warn">{whyInWords(whyNothing(miss, known.offer), miss, known)}</Reason>
)

function whyInWords(found: WhyNothing, { countries, budget }: Miss, { productNames }: Known) {
  const there = countries.length === 0 ? "" : ` in ${countriesInWords(countries, "or")}`
  if (found.why === "no key") return "Asked without a key. Only buyers with a key see products."
  if (found.why === "revoked") return "The key that asked has been revoked since."
  if (found.why === "words") return "No product open to this key mentions what the brief asks for."
  if (found.why === "budget") {
    const { product, least, currency } = found
    return (
      <>
        <b>{productNames.get(product)}</b> might fit, but costs {formatMoney(least, currency)} or more. The budget is{" "}
        {formatMoney(budget ?? 0, currency)}.
      </>
    )
  }
  if (found.wouldFit !== undefined) {
    return (
      <>
        <b>{productNames.get(found.wouldFit)}</b> might fit, but is not open to this key{there}.
      </>
    )
  }
  if (found.why === "channel") return `You have no product for ${listed(found.channels.map(channelInWords), "or")}.`
  return found.why === "country" ? `Nothing is open to this key${there}.` : "No product is open to this key."
}

/** The cheapest cure first. */
export function Cures({ miss, known }: MissProps) {
  return (
    <div class="actions">
      {[...curesOf(miss, whyNothing(miss, known.offer))].map(([label, href], index) => (
        <ButtonLink
          key={label}
          small
          {...(index > 0 && { kind: "quiet" as const })}
          href={href}
          label={label}
          about={`${label}: ${miss.brief}`}
        />
      ))}
    </div>
  )
}

function* curesOf(
  { agentKeyId, countries, lastId }: Miss,
  found: WhyNothing,
): Generator<[label: string, href: string]> {
  if (agentKeyId !== null && found.wouldFit !== undefined)
    yield ["Open it to this key", openingHref(found.wouldFit, agentKeyId, countries)]
  if (found.why === "budget") yield ["Add a smaller price", `${at(PRODUCT, found.product)}#prices.0.price`]
  if (found.why === "no key" || found.why === "revoked") yield ["Create key", `${AGENT_KEYS}#new-key`]
  yield ["Draft a product for this", `${PRODUCTS}/new?for=${lastId}`]
}
