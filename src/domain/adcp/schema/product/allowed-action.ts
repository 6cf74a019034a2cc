import { Type } from "@sinclair/typebox"
import { closed, IsoDuration, optional, Text } from "../../../schema/schema-helpers.ts"
import { MediaBuyActionMode, MediaBuyStatus, MediaBuyValidAction } from "../vocabulary.ts"

export const SlaWindow = Type.Object(
  optional({
    response_max: IsoDuration,
    completion_max: IsoDuration,
  }),
  closed,
)

export const ProductAllowedAction = Type.Object(
  {
    action: MediaBuyValidAction,
    modes: Type.Array(MediaBuyActionMode, { minItems: 1, uniqueItems: true }),
    ...optional({
      allowed_statuses: Type.Array(MediaBuyStatus, { minItems: 1, uniqueItems: true }),
      sla: SlaWindow,
      terms_ref: Text,
    }),
  },
  closed,
)
