import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { ReachUnit } from "../vocabulary.ts"

export const MetricOptimization = Type.Object({
  supported_metrics: s.nonEmpty(
    s.choice(
      "clicks views completed_views viewed_seconds attention_seconds attention_score engagements follows saves",
      "profile_visits reach",
    ),
  ),
  ...s.optional({
    supported_reach_units: s.nonEmpty(ReachUnit),
    supported_view_durations: Type.Array(s.Positive),
    supported_targets: Type.Array(s.choice("cost_per threshold_rate")),
  }),
})

export const ConversionTracking = s.partial({
  action_sources: s.nonEmpty(s.choice("website app offline phone_call chat email in_store system_generated other")),
  supported_targets: s.nonEmpty(s.choice("cost_per per_ad_spend maximize_value")),
  platform_managed: s.Flag,
})

export const CatalogMatch = Type.Object({
  submitted_count: s.Whole,
  ...s.optional({
    matched_gtins: Type.Array(Type.String({ pattern: "^[0-9]{8,14}$" })),
    matched_ids: Type.Array(s.Text),
    matched_count: s.Whole,
  }),
})
