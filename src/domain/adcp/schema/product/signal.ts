import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { FormatId } from "../format/format-id.ts"
import { ResponseType, UidType } from "../vocabulary.ts"

const SignalId = Type.Union([
  s.object({ source: "catalog", data_provider_domain: s.Domain, id: s.Identifier }),
  s.object({ source: "agent", agent_url: s.Url, id: s.Identifier }),
])

export const SignalRef = Type.Union([
  s.ruled(
    s.object({ scope: "product", signal_id: s.Identifier }),
    s.hasNone("data_provider_domain", "signal_source_url", "agent_url", "source", "id"),
  ),
  s.ruled(
    s.object({ scope: "data_provider", data_provider_domain: s.Domain, signal_id: s.Identifier }),
    s.hasNone("agent_url", "signal_source_url", "source", "id"),
  ),
  s.ruled(
    s.object({ scope: "signal_source", signal_source_url: s.Url, signal_id: s.Identifier }),
    s.hasNone("data_provider_domain", "agent_url", "source", "id"),
  ),
])

export const SignalListing = s.ruled(
  s.partial({
    signal_ref: SignalRef,
    signal_id: SignalId,
    ...s.fields(s.Text, "name description"),
    methodology_url: s.Url,
    last_updated: s.Timestamp,
    value_type: "binary categorical numeric",
    categories: s.nonEmpty(s.Text),
    range: s.closed({ min: Type.Number(), max: Type.Number() }),
  }),
  s.when(Type.Object({ signal_ref: s.object({ scope: "product" }) }), s.has("name", "value_type")),
  s.hasAny("signal_ref", "signal_id"),
)

const Tag = Type.String({ pattern: "^[a-z0-9_-]+$" })

export const DataProviderSignalSelector = Type.Union([
  s.object({ data_provider_domain: s.Domain, selection_type: "all" }),
  s.object({ data_provider_domain: s.Domain, selection_type: "by_id", signal_ids: s.nonEmpty(s.Identifier) }),
  s.object({ data_provider_domain: s.Domain, selection_type: "by_tag", signal_tags: s.nonEmpty(Tag) }),
])

const billed = { currency: s.Currency, "ext?": s.Ext }

const SignalPricing = Type.Union([
  s.object({ model: "cpm", cpm: s.Amount, ...billed }),
  s.object({
    model: "percent_of_media",
    percent: s.Percent,
    currency: s.Currency,
    "max_cpm?": s.Amount,
    "ext?": s.Ext,
  }),
  s.object({ model: "flat_fee", amount: s.Amount, period: "monthly quarterly annual campaign", ...billed }),
  s.object({ model: "per_unit", unit: s.Text, unit_price: s.Amount, ...billed }),
  s.object({
    model: "custom",
    description: s.NonEmpty,
    metadata: s.partial({ summary_for_operator: s.NonEmpty }, { minProperties: 1 }),
    "currency?": s.Currency,
    "ext?": s.Ext,
  }),
])

export const VendorPricingOption = Type.Intersect([
  s.object({ pricing_option_id: s.Text, "applies_to_output_format_ids?": s.nonEmpty(FormatId) }),
  SignalPricing,
])

export const ProductSignalTargetingOption = s.ruled(
  s.object({
    signal_ref: SignalRef,
    "signal_agent_segment_id?": s.Text,
    "activation_status?": "ready requires_activation",
    "allowed_targeting_modes?": s.nonEmptySet(s.choice("include exclude")),
    "default_selected?": s.Flag,
    "selection_group?": s.Text,
    "pricing_options?": s.nonEmpty(VendorPricingOption),
  }),
  SignalListing,
  s.when(s.is("activation_status", "requires_activation"), s.has("signal_agent_segment_id")),
)

const SignalSelectionGroupRule = s.object({
  selection_group: s.Text,
  "targeting_mode?": "include exclude",
  "selection_mode?": "optional required fixed",
  "min_selected_signals?": s.Whole,
  "max_selected_signals?": s.AtLeastOne,
})

export const SignalTargetingRules = s.partial({
  resolution_model: "direct_targeting seller_planned",
  selection_mode: "optional required fixed",
  min_selected_signals: s.Whole,
  ...s.fields(
    s.AtLeastOne,
    "max_selected_signals max_selected_per_group max_signal_targeting_groups max_signals_per_targeting_group",
  ),
  selection_group_rules: s.nonEmpty(SignalSelectionGroupRule),
})

const TrustedMatchProvider = s.ruled(
  s.object({
    agent_url: s.Url,
    ...s.fields(s.Flag, "context_match? identity_match?"),
    "countries?": s.nonEmpty(s.Country),
    "uid_types?": s.nonEmpty(UidType),
  }),
  s.when(s.is("identity_match", true), s.has("countries", "uid_types")),
)

export const TrustedMatch = s.object({
  context_match: s.Flag,
  "identity_match?": s.Flag,
  "response_types?": s.nonEmpty(ResponseType),
  "dynamic_brands?": s.Flag,
  "providers?": s.nonEmpty(TrustedMatchProvider),
})
