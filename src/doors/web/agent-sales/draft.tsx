import type { Product } from "../../../domain/adcp/schema/product/product.ts"
import { Channel } from "../../../domain/adcp/schema/vocabulary.ts"
import type { FormTexts } from "../../../domain/schema/form/texts.ts"
import { capitalized, slugOf } from "../../../domain/text/short-text.ts"
import { parseTimestamp } from "../../../domain/time/moment.ts"
import { AGENT_KEYS, itemAddress, PRODUCT, REQUEST } from "../frame/navigation.ts"
import { Banner } from "../parts/blocks.tsx"
import { formatMoney } from "../parts/format.tsx"
import { type PersonVisit, readId } from "../visit.ts"
import { activeKeys, openingHref, territoriesOf, whoSeesHref } from "./opening.tsx"
import { callWithId, demandOf } from "./requests.tsx"
import { countriesInWords } from "./words.ts"

// A product that is drafted for a request which found nothing: its words, countries and budget fill in the form.

async function askedFor(visit: PersonVisit) {
  const call = await callWithId(visit, readId(visit.url.searchParams.get("for") ?? ""))
  const demand = call && demandOf(call)
  return call === null || demand === null ? null : { call, demand }
}

const NAME_CHARACTERS_MAX = 60
const CHANNELS: readonly string[] = (Channel as unknown as { enum: string[] }).enum

export async function draftFrom(visit: PersonVisit, empty: FormTexts): Promise<FormTexts> {
  const request = await askedFor(visit)
  if (request === null) return empty
  const { brief, formats, budget } = request.demand
  const words = brief ?? ""
  const name = words.length > NAME_CHARACTERS_MAX ? words.slice(0, NAME_CHARACTERS_MAX).replace(/\s\S*$/, "") : words
  const channels = [...new Set(formats.map((format) => format.split(" ")[0] ?? ""))]
  return {
    ...empty,
    name: capitalized(name),
    product_id: slugOf(name),
    description: words,
    channels: channels.filter((channel) => CHANNELS.includes(channel)),
    ...(budget?.currency != null && { "prices.0.currency": budget.currency }),
  }
}

/** What the buyer asked for, above the form. */
export async function draftedFor(visit: PersonVisit) {
  const request = await askedFor(visit)
  if (request === null) return null
  const { brief, countries, budget } = request.demand
  const details = [
    countries.length > 0 && `in ${countriesInWords(countries)}`,
    budget !== null && `for ${formatMoney(budget.amount, budget.currency)}`,
  ].filter(Boolean)
  return (
    <Banner tone="info">
      <p>
        A buyer asked for <a href={itemAddress(REQUEST, request.call.id)}>“{brief ?? "all products"}”</a>{" "}
        {details.join(", ")}. Change the words to what you offer.
      </p>
    </Banner>
  )
}

/** Where to go after saving it: to opening it to the key that asked, in the countries that it asked for. */
export async function openingAfter(visit: PersonVisit, productId: string): Promise<string | null> {
  const request = await askedFor(visit)
  const key = request?.call.agentKeyId ?? null
  const isActive = (await activeKeys(visit)).some(({ id }) => id === key)
  return request !== null && key !== null && isActive ? openingHref(productId, key, request.demand.countries) : null
}

const KEY_NEEDED = "Buyers’ agents need a buyer’s key to see it."
const NO_CHANNEL = "It has no channel, so briefs that name one don’t find it."

/** What a product lacks before buyers' agents can find it; null where nothing does. */
export async function whatIsMissing(visit: PersonVisit, productId: string, body: unknown) {
  const { channels = [], expires_at: end = "" } = body as Partial<Product>
  const keys = await activeKeys(visit)
  const isExpired = (parseTimestamp(end) ?? Number.POSITIVE_INFINITY) <= visit.now
  const isHidden = keys.every((key) => territoriesOf(key, productId).length === 0)
  const asJson = itemAddress(PRODUCT, productId, "json")
  const missing = [
    keys.length === 0 && [KEY_NEEDED, `${AGENT_KEYS}#new-key`, "Create a buyer’s key"],
    keys.length > 0 && isHidden && ["It is hidden from every buyer.", whoSeesHref(productId), "Show it to a buyer"],
    isExpired && ["It has expired.", asJson, "Change when it expires"],
    channels.length === 0 && [NO_CHANNEL, "#channels", "Choose channels"],
  ].filter((sentence) => sentence !== false)
  if (missing.length === 0) return null
  return (
    <Banner tone="info">
      <h2>Before buyers can find it</h2>
      {missing.map(([text, href = "", label]) => (
        <p>
          {text} <a href={href}>{label}</a>
        </p>
      ))}
    </Banner>
  )
}
