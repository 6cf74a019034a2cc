import { Type } from "@sinclair/typebox"
import { AtLeastOne, choice, Flag, has, optional, ruled, Text, Whole, when } from "../../../schema/schema-helpers.ts"
import { SignalListing, SignalRef } from "./signal.ts"
import { VendorPricingOption } from "./signal-price.ts"

export const ProductSignalTargetingOption = ruled(
  Type.Object({
    signal_ref: SignalRef,
    ...optional({
      signal_agent_segment_id: Text,
      activation_status: choice("ready requires_activation"),
      allowed_targeting_modes: Type.Array(choice("include exclude"), { minItems: 1, uniqueItems: true }),
      default_selected: Flag,
      selection_group: Text,
      pricing_options: Type.Array(VendorPricingOption, { minItems: 1 }),
    }),
  }),
  SignalListing,
  when(Type.Object({ activation_status: Type.Literal("requires_activation") }), has("signal_agent_segment_id")),
)

export const SignalSelectionGroupRule = Type.Object({
  selection_group: Text,
  ...optional({
    targeting_mode: choice("include exclude"),
    selection_mode: choice("optional required fixed"),
    min_selected_signals: Whole,
    max_selected_signals: AtLeastOne,
  }),
})

export const SignalTargetingRules = Type.Object(
  optional({
    resolution_model: choice("direct_targeting seller_planned"),
    selection_mode: choice("optional required fixed"),
    min_selected_signals: Whole,
    max_selected_signals: AtLeastOne,
    max_selected_per_group: AtLeastOne,
    max_signal_targeting_groups: AtLeastOne,
    max_signals_per_targeting_group: AtLeastOne,
    selection_group_rules: Type.Array(SignalSelectionGroupRule, { minItems: 1 }),
  }),
)
