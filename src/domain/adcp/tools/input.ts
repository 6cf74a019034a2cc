import { type Static, type TSchema, Type } from "@sinclair/typebox"
import * as s from "../../schema/schema-helpers.ts"
import { AssetContentType, DisclosurePersistence, DisclosurePosition, WcagLevel } from "../schema/vocabulary.ts"

// Arguments that several tools take. Whatever else is sent is ignored, never refused.

export const PAGE_RESULTS_DEFAULT = 50 // AdCP, pagination
const PAGE_RESULTS_MAX = 100 // AdCP, pagination

export const ARGUMENT_ENTRIES_MAX = 500 // ours: far more than a request needs, far less than would keep others waiting

export function described<Schema extends TSchema>(schema: Schema, description: string): Schema {
  return { ...schema, description }
}

export const listOf = <Item extends TSchema>(item: Item, description: string) =>
  Type.Array(item, { minItems: 1, maxItems: ARGUMENT_ENTRIES_MAX, description })

export const Pagination = s.partial(
  {
    max_results: Type.Integer({
      minimum: 1,
      maximum: PAGE_RESULTS_MAX,
      default: PAGE_RESULTS_DEFAULT,
      description: "Maximum number of results per page.",
    }),
    cursor: Type.String({
      maxLength: 4_000,
      description: "The cursor from the previous page. Repeat the other arguments unchanged.",
    }),
  },
  { description: "Which page of the results to return." },
)

export const FormatIdInput = s.object(
  {
    id: Type.String({ pattern: "^[a-zA-Z0-9_-]+$", description: "The format's ID." }),
    "agent_url?": described(s.Url, "The agent that defines the format. Default: this agent."),
    "width?": described(s.AtLeastOne, "Width in pixels, for formats with a variable size."),
    "height?": described(s.AtLeastOne, "Height in pixels, for formats with a variable size."),
    "duration_ms?": Type.Number({
      minimum: 1,
      description: "Duration in milliseconds, for formats with a variable duration.",
    }),
  },
  { description: "A creative format." },
)

export const AccountInput = described(
  s.AnyObject,
  "An account, by brand and operator. Not required; doesn't affect the answer. There are no account IDs.",
)

const sharedInput = s.optional({
  adcp_version: Type.String({
    pattern: "^\\d+\\.\\d+(-[a-zA-Z0-9.-]+)?$",
    description: 'The AdCP version you use, such as "3.1".',
  }),
  adcp_major_version: Type.Integer({
    minimum: 1,
    maximum: 99,
    description: "The AdCP major version, 3. Prefer adcp_version.",
  }),
  context: described(s.AnyObject, "Any data. It is returned unchanged and never read or stored."),
  ext: described(s.AnyObject, "Vendor extensions. None are used."),
  idempotency_key: Type.String({ description: "Accepted but not needed: every tool is read-only." }),
})

/** The input schema of a tool: its own arguments and those that every tool takes. Unknown ones are welcome. */
export const toolInput = <Fields extends Record<string, TSchema>>(fields: Fields) =>
  Type.Object({ ...s.optional(fields), ...sharedInput }, { additionalProperties: true })

export const CapabilitiesInput = toolInput({
  protocols: Type.Array(s.choice("media_buy signals governance sponsored_intelligence creative"), {
    minItems: 1,
    description: "Only the sections of these protocols.",
  }),
})
export type CapabilitiesInput = Static<typeof CapabilitiesInput>

const formatIds = (description: string) => listOf(FormatIdInput, description)
const pixels = (description: string) => Type.Integer({ description })

/** Takes the arguments of both variants of this tool, that of media buying and that of creative agents. */
export const ListCreativeFormatsInput = toolInput({
  format_ids: formatIds("Only these formats."),
  type: described(s.choice("audio video display dooh"), "Only formats of this general type. Prefer asset_types."),
  asset_types: listOf(AssetContentType, "Only formats that use one of these asset types."),
  max_width: pixels("Only formats with a render no wider than this."),
  max_height: pixels("Only formats with a render no taller than this."),
  min_width: pixels("Only formats with a render at least this wide."),
  min_height: pixels("Only formats with a render at least this tall."),
  is_responsive: described(s.Flag, "true keeps only responsive formats, false only fixed ones."),
  name_search: Type.String({ description: "Only formats whose name contains this text. Not case-sensitive." }),
  publisher_domain: described(s.Domain, "Only formats accepted by this publisher's products that you can see."),
  property_id: Type.String({
    pattern: "^[a-z0-9_]+$",
    description: "Only formats accepted by products on this property. Best combined with publisher_domain.",
  }),
  wcag_level: described(WcagLevel, "Only formats that meet at least this accessibility level."),
  disclosure_positions: Type.Array(DisclosurePosition, {
    minItems: 1,
    maxItems: 8,
    uniqueItems: true,
    description: "Only formats that can show a disclosure in all of these positions.",
  }),
  disclosure_persistence: Type.Array(DisclosurePersistence, {
    minItems: 1,
    maxItems: 3,
    uniqueItems: true,
    description: "Only formats that support all of these kinds of disclosure persistence.",
  }),
  output_format_ids: formatIds("Only formats that can produce one of these."),
  input_format_ids: formatIds("Only formats that can be made from one of these."),
  include_pricing: described(
    s.Flag,
    "true asks for prices per format, of which there are none here. Requires account.",
  ),
  account: AccountInput,
  pagination: Pagination,
})
export type ListCreativeFormatsInput = Static<typeof ListCreativeFormatsInput>
