import { readArguments } from "../arguments/arguments.ts"
import { cutText } from "../cut-text.ts"
import { fitsFilters } from "../filters/formats.ts"
import { canonicalUrl, type FormatRef, refKey } from "../schema/format-ref.ts"
import { formatLine } from "../text.ts"
import { creativeAgentsAt, type FormatView, formatsTakenAt, isPlaced, productsAt } from "../view/format-view.ts"
import { type PublicFormat, resolveFormat } from "../view/public-format.ts"
import { type AdcpAnswer, type Arguments, completed } from "./answer.ts"
import { AdcpError, brokenRule } from "./errors.ts"
import { ListCreativeFormatsInput } from "./formats-input.ts"
import { bindingOf, nextPageLines, pageOf } from "./page.ts"

/** The response schema wants a list of formats even in a failed answer. */
export const NO_FORMATS = { formats: [] }

const OTHER_ARGUMENTS = [
  "pagination",
  "context",
  "ext",
  "account",
  "adcp_version",
  "adcp_major_version",
  "idempotency_key",
]

export function listCreativeFormats(view: FormatView, args: Arguments): AdcpAnswer {
  const input = readArguments(ListCreativeFormatsInput, args)
  if (input.include_pricing && input.account === undefined)
    throw brokenRule("/account", "account is required when include_pricing is true", "required")
  const formats = matching(view, input)
  const deciding = Object.fromEntries(Object.entries(input).filter(([name]) => !OTHER_ARGUMENTS.includes(name)))
  // The whole catalog is small, so clients that don't support pages get all of it.
  const request = input.pagination ?? { max_results: Number.POSITIVE_INFINITY }
  const idOf = ({ format_id }: PublicFormat) => refKey(format_id, view.agentUrl)
  const { items, pagination } = pageOf(formats, idOf, request, bindingOf("formats", deciding))
  const agents = creativeAgentsAt(view, input)
  const payload = {
    formats: items,
    ...(agents.length > 0 && { creative_agents: agents.map((agent_url) => ({ agent_url })) }),
    ...(input.publisher_domain !== undefined && { source: "agent_derived" }),
    pagination,
  }
  const message = [countText(formats.length, items.length), ...remarksOn(view, input, formats.length, agents)].join(" ")
  return completed(message, payload, args, { lines: [...items.map(formatLine), ...nextPageLines(pagination)] })
}

function matching(view: FormatView, input: ListCreativeFormatsInput): PublicFormat[] {
  const named = input.format_ids === undefined ? view.formats : resolveAll(view, input.format_ids)
  const there = isPlaced(input) ? formatsTakenAt(view, input, named) : named
  return there.filter((format) => fitsFilters(format, input, view.agentUrl))
}

/** The formats that the references name. If there are none, other agents may have them, or they don't exist. */
function resolveAll(view: FormatView, refs: readonly FormatRef[]): PublicFormat[] {
  const distinct = new Map(refs.map((ref) => [refKey(ref, view.agentUrl), ref])).values()
  const formats = [...distinct].flatMap((ref) => resolveFormat(view.formats, ref, view.agentUrl) ?? [])
  const others = creativeAgentsAt(view, {}).map(canonicalUrl)
  const isOfOthers = refs.some(({ agent_url = view.agentUrl }) => others.includes(canonicalUrl(agent_url)))
  if (formats.length > 0 || isOfOthers) return formats
  throw new AdcpError("REFERENCE_NOT_FOUND", "None of the format_ids names a format of this agent.", {
    field: "format_ids",
    suggestion: "Call list_creative_formats without arguments for the whole catalog.",
  })
}

function countText(total: number, listed: number): string {
  const formats = total === 1 ? "1 format" : `${total} formats`
  return listed < total ? `${listed} of ${formats}.` : `${formats}.`
}

function remarksOn(view: FormatView, input: ListCreativeFormatsInput, total: number, agents: readonly string[]) {
  const place = [input.property_id, input.publisher_domain].filter((name) => name !== undefined).join(" of ")
  const isNothingThere = place !== "" && total === 0 && productsAt(view, input).length === 0
  return [
    ...(isNothingThere ? [`Nothing that you may see is sold for ${cutText(place, 300)}.`] : []),
    ...(agents.length > 0 ? [`Ask ${agents.join(", ")} for the formats of that agent.`] : []),
  ]
}
