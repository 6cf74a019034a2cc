import { Type } from "@sinclair/typebox"
import { Amount, choice, closed, optional, Text, Url } from "../../../schema/schema-helpers.ts"

export const Overlay = Type.Object(
  {
    id: Text,
    bounds: Type.Object(
      {
        x: Type.Number(),
        y: Type.Number(),
        width: Amount,
        height: Amount,
        unit: choice("px fraction inches cm mm pt"),
      },
      closed,
    ),
    ...optional({
      description: Text,
      visual: Type.Object(optional({ url: Url, light: Url, dark: Url }), {
        additionalProperties: false,
        minProperties: 1,
      }),
    }),
  },
  closed,
)
