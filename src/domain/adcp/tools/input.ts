import { type Static, type TSchema, Type } from "@sinclair/typebox"
import { AnyObject, AtLeastOne, choice, Domain, Flag, optional, Url } from "../../schema/schema-helpers.ts"
import { AssetContentType, DisclosurePersistence, DisclosurePosition, WcagLevel } from "../schema/vocabulary.ts"

// Arguments that several tools take. Whatever else is sent is ignored, never refused.

export const PAGE_RESULTS_DEFAULT = 50 // AdCP, pagination
const PAGE_RESULTS_MAX = 100 // AdCP, pagination

export const ARGUMENT_ENTRIES_MAX = 500 // ours: far more than a request needs, far less than would keep others waiting

export function described<Schema extends TSchema>(schema: Schema, description: string): Schema {
  return { ...schema, description }
}

export function listOf<Item extends TSchema>(item: Item, description: string) {
  return Type.Array(item, { minItems: 1, maxItems: ARGUMENT_ENTRIES_MAX, description })
}

export const Pagination = Type.Object(
  optional({
    max_results: Type.Integer({
      minimum: 1,
      maximum: PAGE_RESULTS_MAX,
      default: PAGE_RESULTS_DEFAULT,
      description: "How many entries one answer holds.",
    }),
    cursor: Type.String({
      maxLength: 4_000,
      description: "The cursor of the previous answer. Repeat its other arguments with it.",
    }),
  }),
  { description: "Asks for one page of the answer." },
)

export const FormatIdInput = Type.Object(
  {
    id: Type.String({ pattern: "^[a-zA-Z0-9_-]+$", description: "The format's name." }),
    ...optional({
      agent_url: described(Url, "The agent that defines the format. Left out, it is this agent."),
      width: described(AtLeastOne, "Width in pixels, for a format that takes a size."),
      height: described(AtLeastOne, "Height in pixels, for a format that takes a size."),
      duration_ms: Type.Number({ minimum: 1, description: "Milliseconds, for a format that takes a duration." }),
    }),
  },
  { description: "Names a creative format." },
)

export const AccountInput = described(AnyObject, "An account. None is needed here, and none changes the answer.")

const sharedInput = optional({
  adcp_version: Type.String({
    pattern: "^\\d+\\.\\d+(-[a-zA-Z0-9.-]+)?$",
    description: 'The AdCP release that you speak, such as "3.1".',
  }),
  adcp_major_version: Type.Integer({
    minimum: 1,
    maximum: 99,
    description: "The AdCP major version: 3. Better send adcp_version.",
  }),
  context: described(AnyObject, "Anything you like. It comes back unchanged; we neither read nor keep it."),
  ext: described(AnyObject, "Extensions by vendor. We know none."),
  idempotency_key: Type.String({ description: "Accepted and not needed: all tools only read." }),
})

/** The input schema of a tool: its own arguments and those that every tool takes. Unknown ones are welcome. */
export function toolInput<Fields extends Record<string, TSchema>>(fields: Fields) {
  return Type.Object({ ...optional(fields), ...sharedInput }, { additionalProperties: true })
}

export const CapabilitiesInput = toolInput({
  protocols: Type.Array(choice("media_buy signals governance sponsored_intelligence creative"), {
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
  type: described(choice("audio video display dooh"), "Only formats of this broad kind. Better use asset_types."),
  asset_types: listOf(AssetContentType, "Only formats made of one of these assets."),
  max_width: pixels("Only formats of which a render is at most so wide."),
  max_height: pixels("Only formats of which a render is at most so high."),
  min_width: pixels("Only formats of which a render is at least so wide."),
  min_height: pixels("Only formats of which a render is at least so high."),
  is_responsive: described(Flag, "true: only formats that adapt to their container; false: only fixed ones."),
  name_search: Type.String({ description: "Only formats whose name contains this; letter case does not matter." }),
  publisher_domain: described(Domain, "Only formats that products of this publisher take, as far as you may see them."),
  property_id: Type.String({
    pattern: "^[a-z0-9_]+$",
    description: "Only formats that products on this property take; best together with publisher_domain.",
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
    description: "Only formats that can keep a disclosure in each of these ways.",
  }),
  output_format_ids: formatIds("Only formats that can produce one of these."),
  input_format_ids: formatIds("Only formats that can be made from one of these."),
  include_pricing: described(Flag, "Whether prices per format are wanted; needs account."),
  account: AccountInput,
  pagination: Pagination,
})
export type ListCreativeFormatsInput = Static<typeof ListCreativeFormatsInput>
