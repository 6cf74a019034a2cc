import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { SignalListing, SignalRef } from "./signal.ts"
import { VendorPricingOption } from "./signal-price.ts"

export const ProductSignalTargetingOption = s.ruled(
  Type.Object({
    signal_ref: SignalRef,
    ...s.optional({
      signal_agent_segment_id: s.Text,
      activation_status: s.choice("ready requires_activation"),
      allowed_targeting_modes: s.nonEmptySet(s.choice("include exclude")),
      default_selected: s.Flag,
      selection_group: s.Text,
      pricing_options: s.nonEmpty(VendorPricingOption),
    }),
  }),
  SignalListing,
  s.when(s.is("activation_status", "requires_activation"), s.has("signal_agent_segment_id")),
)

export const SignalSelectionGroupRule = Type.Object({
  selection_group: s.Text,
  ...s.optional({
    targeting_mode: s.choice("include exclude"),
    selection_mode: s.choice("optional required fixed"),
    min_selected_signals: s.Whole,
    max_selected_signals: s.AtLeastOne,
  }),
})

export const SignalTargetingRules = s.partial({
  resolution_model: s.choice("direct_targeting seller_planned"),
  selection_mode: s.choice("optional required fixed"),
  min_selected_signals: s.Whole,
  max_selected_signals: s.AtLeastOne,
  max_selected_per_group: s.AtLeastOne,
  max_signal_targeting_groups: s.AtLeastOne,
  max_signals_per_targeting_group: s.AtLeastOne,
  selection_group_rules: s.nonEmpty(SignalSelectionGroupRule),
})
