import { Type } from "@sinclair/typebox"
import { AtLeastOne, optional, Text, Whole } from "../../../schema/schema-helpers.ts"

export const TextAssetRequirements = Type.Object(
  optional({
    min_length: Whole,
    max_length: AtLeastOne,
    min_lines: AtLeastOne,
    max_lines: AtLeastOne,
    character_pattern: Text,
    prohibited_terms: Type.Array(Text),
    allowed_values: Type.Array(Text, { minItems: 1, uniqueItems: true }),
  }),
)

export const MarkdownAssetRequirements = Type.Object(optional({ max_length: AtLeastOne }))
