import type { OwnFormats } from "./catalogue/check-refs.ts"
import { emitFormat } from "./catalogue/emit-format.ts"
import { keepJson, keepList } from "./json-fragment.ts"
import type { CreativeFormat } from "./schema/format/creative-format.ts"
import { canonicalUrl, type FormatRef } from "./schema/format/format-id.ts"

/** The public catalogue, prepared once per revision. It is the same for everybody. */
export interface FormatView {
  readonly agentUrl: string
  readonly formats: readonly CreativeFormat[]
  /** Prices by format id; shown only on request. */
  readonly prices: ReadonlyMap<string, Prices>
}

type Prices = NonNullable<CreativeFormat["pricing_options"]>

export function prepareFormats(own: OwnFormats, agentUrl: string): FormatView {
  const formats = [...own.values()].map((format) => {
    const { pricing_options: _, ...unpriced } = format
    return keepJson(emitFormat(unpriced, agentUrl))
  })
  const prices = [...own.values()].flatMap(({ format_id, pricing_options }): [string, Prices][] =>
    pricing_options ? [[format_id.id, pricing_options]] : [],
  )
  return { agentUrl, formats: keepList(formats), prices: new Map(prices) }
}

/** The format of a reference; a template gets the requested parameters in its format_id. */
export function resolveFormat({ formats, agentUrl }: FormatView, ref: FormatRef): CreativeFormat | undefined {
  const agent = canonicalUrl(ref.agent_url ?? agentUrl)
  const named = formats.filter(
    ({ format_id: own }) => own.id === ref.id && canonicalUrl(own.agent_url ?? agentUrl) === agent,
  )
  const exact = named.find(({ format_id: own }) => sameParameters(own, ref))
  if (exact) return exact
  const template = named.find((format) => takesParameters(format, ref))
  return template && keepJson({ ...template, format_id: { ...template.format_id, ...parametersOf(ref) } })
}

const sameParameters = (a: FormatRef, b: FormatRef) =>
  a.width === b.width && a.height === b.height && a.duration_ms === b.duration_ms

function takesParameters({ accepts_parameters: taken = [] }: CreativeFormat, ref: FormatRef): boolean {
  const sized = ref.width === undefined || taken.includes("dimensions")
  return sized && (ref.duration_ms === undefined || taken.includes("duration"))
}

function parametersOf({ width, height, duration_ms }: FormatRef): Partial<FormatRef> {
  const size = width === undefined || height === undefined ? {} : { width, height }
  return { ...size, ...(duration_ms === undefined ? {} : { duration_ms }) }
}

export function withPrices({ prices }: FormatView, formats: readonly CreativeFormat[]): CreativeFormat[] {
  return formats.map((format) => {
    const pricing_options = prices.get(format.format_id.id)
    return pricing_options ? { ...format, pricing_options } : format
  })
}
