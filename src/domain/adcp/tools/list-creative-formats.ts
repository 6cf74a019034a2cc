import { cutText } from "../../text/short-text.ts"
import { fitsFilters } from "../filters/formats.ts"
import { creativeAgentsOf, type FormatView, productsAt, resolveFormat, takenAt } from "../format-view.ts"
import type { CreativeFormat } from "../schema/format/creative-format.ts"
import { canonicalUrl, type FormatRef, refKey, uniqueRefs } from "../schema/format/format-id.ts"
import { formatLine } from "../text.ts"
import type { AdcpAnswer, AdcpError, Arguments } from "./answer.ts"
import { adcpError, brokenRule, completed, failed, isAdcpError } from "./answer.ts"
import { takeArguments } from "./arguments.ts"
import { ListCreativeFormatsInput } from "./input.ts"
import { bindingOf, nextPage, type Page, pageOf } from "./page.ts"

// The schema wants a list of formats in a failed answer too.
export const noFormats = { formats: [] }

const deciding = [
  "format_ids type asset_types max_width max_height min_width min_height is_responsive name_search wcag_level",
  "disclosure_positions disclosure_persistence output_format_ids input_format_ids publisher_domain property_id",
].flatMap((names) => names.split(" "))

export function listCreativeFormats(view: FormatView, args: Arguments): AdcpAnswer {
  const taken = takeArguments(ListCreativeFormatsInput, args)
  if (isAdcpError(taken)) return failed(taken, args, noFormats)
  const { input } = taken
  const page = select(view, input)
  if (isAdcpError(page)) return failed(page, args, noFormats)
  const total = page.pagination.total_count
  const source = input.publisher_domain === undefined ? {} : { source: "agent_derived" }
  const agents = agentsAt(view, input)
  const creative_agents = agents.length === 0 ? {} : { creative_agents: agents.map((agent_url) => ({ agent_url })) }
  const fields = { formats: page.items, ...creative_agents, ...source, pagination: page.pagination }
  const lines = [...page.items.map(formatLine), ...nextPage(page)]
  return completed(`${countText(total, page.items.length)}${remarks(view, input, total, agents)}`, fields, args, lines)
}

const countText = (total: number, listed: number): string =>
  `${total} ${total === 1 ? "format" : "formats"}${listed < total ? `, ${listed} of them here` : ""}.`

/** Other agents, whose formats the caller's products take; those at a place, where one is named. */
function agentsAt(view: FormatView, place: ListCreativeFormatsInput): readonly string[] {
  const there = productsAt(view, place)
  return there === view.products ? view.creativeAgents : creativeAgentsOf(view, there)
}

/** Each remark with a space before it. */
function remarks(view: FormatView, input: ListCreativeFormatsInput, total: number, creativeAgents: readonly string[]) {
  const place = [input.property_id, input.publisher_domain].filter((name) => name !== undefined).join(" of ")
  const isNothingThere = place !== "" && total === 0 && productsAt(view, input).length === 0
  return [
    isNothingThere ? ` Nothing that you may see is sold for ${cutText(place, 300)}.` : "",
    creativeAgents.length === 0 ? "" : ` Ask ${creativeAgents.join(", ")} for the formats of that agent.`,
  ].join("")
}

function select(view: FormatView, input: ListCreativeFormatsInput): Page<CreativeFormat> | AdcpError {
  if (input.include_pricing && input.account === undefined)
    return brokenRule("/account", "account is required when include_pricing is true")
  const named = input.format_ids === undefined ? view.formats : resolveAll(view, input.format_ids)
  if (named.length === 0 && input.format_ids !== undefined && !isOfOthers(view, input.format_ids))
    return unknownFormats()
  const formats = keepMatching(view, named, input)
  // Who asks for no page gets the whole catalogue: it is small, and a client that knows no pages misses nothing.
  if (input.pagination === undefined)
    return { items: formats, pagination: { has_more: false, total_count: formats.length } }
  return pageOf(
    formats,
    (format) => refKey(format.format_id, view.agentUrl),
    input,
    () => bindingOf("formats", input, deciding),
  )
}

function keepMatching(view: FormatView, named: readonly CreativeFormat[], input: ListCreativeFormatsInput) {
  const isPlaced = input.publisher_domain !== undefined || input.property_id !== undefined
  const there = isPlaced ? named.filter(takenAt(view, input)) : named
  const isFiltered = deciding.some((name) => name in input)
  return isFiltered ? there.filter((format) => fitsFilters(format, input, view.agentUrl)) : there
}

function isOfOthers({ creativeAgents }: FormatView, refs: readonly FormatRef[]): boolean {
  const agents = new Set(creativeAgents.map(canonicalUrl))
  return refs.some(({ agent_url }) => agent_url !== undefined && agents.has(canonicalUrl(agent_url)))
}

const resolveAll = (view: FormatView, refs: NonNullable<ListCreativeFormatsInput["format_ids"]>): CreativeFormat[] =>
  uniqueRefs(refs, view.agentUrl).flatMap((ref) => resolveFormat(view, ref) ?? [])

const unknownFormats = (): AdcpError =>
  adcpError("REFERENCE_NOT_FOUND", "None of the format_ids names a format of this agent.", {
    field: "format_ids",
    suggestion: "Call list_creative_formats without arguments for the whole catalogue.",
  })
