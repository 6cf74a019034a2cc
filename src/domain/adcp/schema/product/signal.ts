import { Type } from "@sinclair/typebox"
import {
  closed,
  Domain,
  has,
  Identifier,
  optional,
  ruled,
  Text,
  Timestamp,
  Url,
  when,
} from "../../../schema/schema-helpers.ts"
import { SignalValueType } from "../vocabulary.ts"

export const SignalId = Type.Union([
  Type.Object({ source: Type.Literal("catalog"), data_provider_domain: Domain, id: Identifier }),
  Type.Object({ source: Type.Literal("agent"), agent_url: Url, id: Identifier }),
])

export const SignalRef = Type.Union([
  ruled(
    Type.Object({ scope: Type.Literal("product"), signal_id: Identifier }),
    Type.Not(
      Type.Union([has("data_provider_domain"), has("signal_source_url"), has("agent_url"), has("source"), has("id")]),
    ),
  ),
  ruled(
    Type.Object({ scope: Type.Literal("data_provider"), data_provider_domain: Domain, signal_id: Identifier }),
    Type.Not(Type.Union([has("agent_url"), has("signal_source_url"), has("source"), has("id")])),
  ),
  ruled(
    Type.Object({ scope: Type.Literal("signal_source"), signal_source_url: Url, signal_id: Identifier }),
    Type.Not(Type.Union([has("data_provider_domain"), has("agent_url"), has("source"), has("id")])),
  ),
])

export const SignalListing = ruled(
  Type.Object(
    optional({
      signal_ref: SignalRef,
      signal_id: SignalId,
      name: Text,
      description: Text,
      methodology_url: Url,
      last_updated: Timestamp,
      value_type: SignalValueType,
      categories: Type.Array(Text, { minItems: 1 }),
      range: Type.Object({ min: Type.Number(), max: Type.Number() }, closed),
    }),
  ),
  when(Type.Object({ signal_ref: Type.Object({ scope: Type.Literal("product") }) }), has("name", "value_type")),
  Type.Union([has("signal_ref"), has("signal_id")]),
)

export const DataProviderSignalSelector = Type.Union([
  Type.Object({ data_provider_domain: Domain, selection_type: Type.Literal("all") }),
  Type.Object({
    data_provider_domain: Domain,
    selection_type: Type.Literal("by_id"),
    signal_ids: Type.Array(Identifier, { minItems: 1 }),
  }),
  Type.Object({
    data_provider_domain: Domain,
    selection_type: Type.Literal("by_tag"),
    signal_tags: Type.Array(Type.String({ pattern: "^[a-z0-9_-]+$" }), { minItems: 1 }),
  }),
])
