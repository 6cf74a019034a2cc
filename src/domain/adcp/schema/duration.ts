import { Type } from "@sinclair/typebox"
import { AtLeastOne, choice, closed } from "../../schema/schema-helpers.ts"

export const Duration = Type.Object(
  { interval: AtLeastOne, unit: choice("seconds minutes hours days campaign") },
  closed,
)
