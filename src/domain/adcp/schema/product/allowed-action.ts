import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { MediaBuyValidAction } from "../vocabulary.ts"

export const SlaWindow = s.partial(
  {
    response_max: s.IsoDuration,
    completion_max: s.IsoDuration,
  },
  s.closed,
)

export const ProductAllowedAction = Type.Object(
  {
    action: MediaBuyValidAction,
    modes: s.nonEmptySet(s.choice("self_serve conditional_self_serve requires_approval")),
    ...s.optional({
      allowed_statuses: s.nonEmptySet(
        s.choice("pending_creatives pending_start active paused completed rejected canceled"),
      ),
      sla: SlaWindow,
      terms_ref: s.Text,
    }),
  },
  s.closed,
)
