import { Channel } from "../../../domain/adcp/schema/vocabulary.ts"
import { channelsOf } from "../../../domain/demand/why-nothing.ts"
import type { FormTexts } from "../../../domain/schema/form/texts.ts"
import { capitalized, slugOf } from "../../../domain/text/short-text.ts"
import { itemAddress, REQUEST } from "../frame/navigation.ts"
import { Banner } from "../parts/blocks.tsx"
import { formatMoney } from "../parts/format.tsx"
import { type PersonVisit, readId } from "../visit.ts"
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
  return {
    ...empty,
    name: capitalized(name),
    product_id: slugOf(name),
    description: words,
    channels: channelsOf(formats).filter((channel) => CHANNELS.includes(channel)),
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
