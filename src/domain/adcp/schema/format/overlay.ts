import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"

export const Overlay = Type.Object(
  {
    id: s.Text,
    bounds: Type.Object(
      {
        x: Type.Number(),
        y: Type.Number(),
        width: s.Amount,
        height: s.Amount,
        unit: s.choice("px fraction inches cm mm pt"),
      },
      s.closed,
    ),
    ...s.optional({
      description: s.Text,
      visual: s.partial(s.fields(s.Url, "url light dark"), {
        additionalProperties: false,
        minProperties: 1,
      }),
    }),
  },
  s.closed,
)
