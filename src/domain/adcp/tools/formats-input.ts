import { type Static, Type } from "@sinclair/typebox"
import { choice } from "../../schema/build.ts"
import { Domain, Flag } from "../../schema/values.ts"
import { AccountInput, described, FormatIdInput, listOf, Pagination, toolInput } from "../arguments/input.ts"
import { AssetContentType, DisclosurePersistence, DisclosurePosition, WcagLevel } from "../schema/vocabulary.ts"

const formatIds = (description: string) => listOf(FormatIdInput, description)
const pixels = (description: string) => Type.Integer({ description })

/** AdCP has two variants of this tool, one for media buying and one for creative agents. This one takes the arguments of both. */
export const ListCreativeFormatsInput = toolInput({
  format_ids: formatIds("Only these formats."),
  type: described(choice("audio video display dooh"), "Only formats of this general type. Prefer asset_types."),
  asset_types: listOf(AssetContentType, "Only formats that use one of these asset types."),
  max_width: pixels("Only formats with a render no wider than this."),
  max_height: pixels("Only formats with a render no taller than this."),
  min_width: pixels("Only formats with a render at least this wide."),
  min_height: pixels("Only formats with a render at least this tall."),
  is_responsive: described(Flag, "true keeps only responsive formats, false only fixed ones."),
  name_search: Type.String({ description: "Only formats whose name contains this text. Not case-sensitive." }),
  publisher_domain: described(Domain, "Only formats accepted by this publisher's products that you can see."),
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
  include_pricing: described(Flag, "true asks for prices per format, of which there are none here. Requires account."),
  account: AccountInput,
  pagination: Pagination,
})
export type ListCreativeFormatsInput = Static<typeof ListCreativeFormatsInput>
