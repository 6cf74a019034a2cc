import { type Static, Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"

const PropertyName = Type.String({ pattern: "^[a-z0-9_]+$" })
// A product lists each publisher separately; other documents of the protocol have the plural.
const onePublisher = s.hasNone("publisher_domains")

export const PublisherProperty = Type.Union([
  s.ruled(Type.Object({ publisher_domain: s.Domain, selection_type: Type.Literal("all") }), onePublisher),
  s.ruled(
    Type.Object({
      publisher_domain: s.Domain,
      selection_type: Type.Literal("by_id"),
      property_ids: s.nonEmpty(PropertyName),
    }),
    onePublisher,
  ),
  s.ruled(
    Type.Object({
      publisher_domain: s.Domain,
      selection_type: Type.Literal("by_tag"),
      property_tags: s.nonEmpty(PropertyName),
    }),
    onePublisher,
  ),
])
export type PublisherProperty = Static<typeof PublisherProperty>

export const CollectionSelector = Type.Object({
  publisher_domain: s.Domain,
  collection_ids: s.nonEmpty(s.Text),
})
