import { fitsFilters } from "../filters/format-filters.ts"
import { type FormatView, resolveFormat, withPrices } from "../format-view.ts"
import type { CreativeFormat } from "../schema/format/creative-format.ts"
import { refKey } from "../schema/format/format-id.ts"
import { type Answer, completed, failed, isAdcpError } from "./answer.ts"
import { takeArguments } from "./arguments.ts"
import { type AdcpError, adcpError, brokenRule } from "./error.ts"
import { ListCreativeFormatsInput } from "./list-creative-formats-input.ts"
import { bindingOf, type Page, pageOf } from "./page.ts"
import type { Arguments } from "./version.ts"

// The schema wants a list of formats in a failed answer too.
export const noFormats = { formats: [] }

const deciding = [
  "format_ids type asset_types max_width max_height min_width min_height is_responsive name_search wcag_level",
  "disclosure_positions disclosure_persistence output_format_ids input_format_ids",
].flatMap((names) => names.split(" "))

/** The public catalogue as asked; without arguments the whole of it. */
export function listCreativeFormats(view: FormatView, args: Arguments): Answer {
  const taken = takeArguments(ListCreativeFormatsInput, args)
  if (isAdcpError(taken)) return failed(taken, args, noFormats)
  const { input } = taken
  const page = select(view, input)
  if (isAdcpError(page)) return failed(page, args, noFormats)
  const total = page.pagination.total_count
  const source = input.publisher_domain === undefined ? {} : { source: "agent_derived" }
  const formats = input.include_pricing ? withPrices(view, page.items) : page.items
  const fields = { formats, ...source, pagination: page.pagination }
  return completed(`${total} ${total === 1 ? "format" : "formats"}.`, fields, args)
}

function select(view: FormatView, input: ListCreativeFormatsInput): Page<CreativeFormat> | AdcpError {
  if (input.include_pricing && input.account === undefined)
    return brokenRule("/account", "account is required when include_pricing is true")
  const named = input.format_ids === undefined ? view.formats : resolveAll(view, input.format_ids)
  if (named.length === 0 && input.format_ids !== undefined) return unknownFormats()
  const isFiltered = deciding.some((name) => name in input)
  const formats = isFiltered ? named.filter((format) => fitsFilters(format, input, view.agentUrl)) : named
  // Who asks for no page gets the whole catalogue: it is small, and a client that knows no pages misses nothing.
  if (input.pagination === undefined)
    return { items: formats, pagination: { has_more: false, total_count: formats.length } }
  return pageOf(
    formats,
    (format) => refKey(format.format_id, view.agentUrl),
    input,
    bindingOf("formats", input, deciding),
  )
}

function resolveAll(view: FormatView, refs: NonNullable<ListCreativeFormatsInput["format_ids"]>): CreativeFormat[] {
  const unique = new Map(refs.map((ref) => [refKey(ref, view.agentUrl), ref]))
  return [...unique.values()].flatMap((ref) => resolveFormat(view, ref) ?? [])
}

function unknownFormats(): AdcpError {
  return adcpError("REFERENCE_NOT_FOUND", "None of the format_ids names a format of this agent.", {
    field: "format_ids",
    suggestion: "Call list_creative_formats without arguments for the whole catalogue.",
  })
}
