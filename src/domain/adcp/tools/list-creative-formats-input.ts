import { type Static, Type } from "@sinclair/typebox"
import { choice, Domain, Flag } from "../../schema/schema-helpers.ts"
import { AssetContentType, DisclosurePersistence, DisclosurePosition, WcagLevel } from "../schema/vocabulary.ts"
import { AccountInput, described, FormatIdInput, listOf, Pagination, toolInput } from "./common-input.ts"

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
