import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"

export const SignalId = Type.Union([
  Type.Object({ source: Type.Literal("catalog"), data_provider_domain: s.Domain, id: s.Identifier }),
  Type.Object({ source: Type.Literal("agent"), agent_url: s.Url, id: s.Identifier }),
])

export const SignalRef = Type.Union([
  s.ruled(
    Type.Object({ scope: Type.Literal("product"), signal_id: s.Identifier }),
    s.hasNone("data_provider_domain", "signal_source_url", "agent_url", "source", "id"),
  ),
  s.ruled(
    Type.Object({ scope: Type.Literal("data_provider"), data_provider_domain: s.Domain, signal_id: s.Identifier }),
    s.hasNone("agent_url", "signal_source_url", "source", "id"),
  ),
  s.ruled(
    Type.Object({ scope: Type.Literal("signal_source"), signal_source_url: s.Url, signal_id: s.Identifier }),
    s.hasNone("data_provider_domain", "agent_url", "source", "id"),
  ),
])

export const SignalListing = s.ruled(
  s.partial({
    signal_ref: SignalRef,
    signal_id: SignalId,
    name: s.Text,
    description: s.Text,
    methodology_url: s.Url,
    last_updated: s.Timestamp,
    value_type: s.choice("binary categorical numeric"),
    categories: s.nonEmpty(s.Text),
    range: Type.Object({ min: Type.Number(), max: Type.Number() }, s.closed),
  }),
  s.when(Type.Object({ signal_ref: Type.Object({ scope: Type.Literal("product") }) }), s.has("name", "value_type")),
  s.hasAny("signal_ref", "signal_id"),
)

export const DataProviderSignalSelector = Type.Union([
  Type.Object({ data_provider_domain: s.Domain, selection_type: Type.Literal("all") }),
  Type.Object({
    data_provider_domain: s.Domain,
    selection_type: Type.Literal("by_id"),
    signal_ids: s.nonEmpty(s.Identifier),
  }),
  Type.Object({
    data_provider_domain: s.Domain,
    selection_type: Type.Literal("by_tag"),
    signal_tags: s.nonEmpty(Type.String({ pattern: "^[a-z0-9_-]+$" })),
  }),
])
