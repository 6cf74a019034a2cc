import { type Static, Type } from "@sinclair/typebox"
import { Domain, has, ruled, Text } from "../../../schema/schema-helpers.ts"

const PropertyName = Type.String({ pattern: "^[a-z0-9_]+$" })
// A product names each publisher by itself; the plural belongs to other documents of the protocol.
const onePublisher = Type.Not(has("publisher_domains"))

export const PublisherProperty = Type.Union([
  ruled(Type.Object({ publisher_domain: Domain, selection_type: Type.Literal("all") }), onePublisher),
  ruled(
    Type.Object({
      publisher_domain: Domain,
      selection_type: Type.Literal("by_id"),
      property_ids: Type.Array(PropertyName, { minItems: 1 }),
    }),
    onePublisher,
  ),
  ruled(
    Type.Object({
      publisher_domain: Domain,
      selection_type: Type.Literal("by_tag"),
      property_tags: Type.Array(PropertyName, { minItems: 1 }),
    }),
    onePublisher,
  ),
])
export type PublisherProperty = Static<typeof PublisherProperty>

export const CollectionSelector = Type.Object({
  publisher_domain: Domain,
  collection_ids: Type.Array(Text, { minItems: 1 }),
})
