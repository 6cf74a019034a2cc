import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"

export const TextAssetRequirements = s.partial({
  min_length: s.Whole,
  ...s.fields(s.AtLeastOne, "max_length min_lines max_lines"),
  character_pattern: s.Text,
  prohibited_terms: Type.Array(s.Text),
  allowed_values: s.nonEmptySet(s.Text),
})

export const MarkdownAssetRequirements = s.partial({ max_length: s.AtLeastOne })
