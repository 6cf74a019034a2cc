import { Type } from "@sinclair/typebox"
import { AtLeastOne, choice, closed } from "./shape.ts"

export const Duration = Type.Object(
  { interval: AtLeastOne, unit: choice("seconds minutes hours days campaign") },
  closed,
)
