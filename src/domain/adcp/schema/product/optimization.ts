import { Type } from "@sinclair/typebox"
import { choice, Flag, optional, Positive, Text, Whole } from "../../../schema/schema-helpers.ts"
import { ActionSource, ReachUnit } from "../vocabulary.ts"

export const MetricOptimization = Type.Object({
  supported_metrics: Type.Array(
    choice(
      "clicks views completed_views viewed_seconds attention_seconds attention_score engagements follows saves",
      "profile_visits reach",
    ),
    { minItems: 1 },
  ),
  ...optional({
    supported_reach_units: Type.Array(ReachUnit, { minItems: 1 }),
    supported_view_durations: Type.Array(Positive),
    supported_targets: Type.Array(choice("cost_per threshold_rate")),
  }),
})

export const ConversionTracking = Type.Object(
  optional({
    action_sources: Type.Array(ActionSource, { minItems: 1 }),
    supported_targets: Type.Array(choice("cost_per per_ad_spend maximize_value"), { minItems: 1 }),
    platform_managed: Flag,
  }),
)

export const CatalogMatch = Type.Object({
  submitted_count: Whole,
  ...optional({
    matched_gtins: Type.Array(Type.String({ pattern: "^[0-9]{8,14}$" })),
    matched_ids: Type.Array(Text),
    matched_count: Whole,
  }),
})
