import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"

const Bounds = Type.Object(
  {
    ...s.fields(Type.Number(), "x y"),
    ...s.fields(s.Amount, "width height"),
    unit: s.choice("px fraction inches cm mm pt"),
  },
  s.closed,
)
const Visual = s.partial(s.fields(s.Url, "url light dark"), { ...s.closed, minProperties: 1 })

export const Overlay = Type.Object(
  { id: s.Text, bounds: Bounds, ...s.optional({ description: s.Text, visual: Visual }) },
  s.closed,
)
