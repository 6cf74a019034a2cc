import { Type } from "@sinclair/typebox"
import { AtLeastOne, closed, Ext, Flag, optional, Text, Timestamp, Url, Whole } from "../../../schema/schema-helpers.ts"
import { ContentRatingSystem, DerivativeType, InstallmentStatus, SpecialCategory, TalentRole } from "../vocabulary.ts"

export const Special = Type.Object({
  name: Text,
  ...optional({ category: SpecialCategory, starts: Timestamp, ends: Timestamp }),
})

export const Talent = Type.Object({ role: TalentRole, name: Text, ...optional({ brand_url: Url }) })

export const ContentRating = Type.Object({ system: ContentRatingSystem, rating: Text })

export const AdInventoryConfig = Type.Object({
  expected_breaks: Whole,
  ...optional({
    total_ad_seconds: Whole,
    max_ad_duration_seconds: AtLeastOne,
    unplanned_breaks: Flag,
    supported_formats: Type.Array(Text),
  }),
})

export const MaterialDeadline = Type.Object({ stage: Text, due_at: Timestamp, ...optional({ label: Text }) })

export const InstallmentDeadlines = Type.Object(
  optional({
    booking_deadline: Timestamp,
    cancellation_deadline: Timestamp,
    material_deadlines: Type.Array(MaterialDeadline, { minItems: 1 }),
  }),
  { minProperties: 1 },
)

export const Installment = Type.Object({
  installment_id: Text,
  ...optional({
    collection_id: Text,
    name: Text,
    season: Text,
    installment_number: Text,
    scheduled_at: Timestamp,
    status: InstallmentStatus,
    duration_seconds: Whole,
    flexible_end: Flag,
    valid_until: Timestamp,
    content_rating: ContentRating,
    topics: Type.Array(Text),
    special: Special,
    guest_talent: Type.Array(Talent),
    ad_inventory: AdInventoryConfig,
    deadlines: InstallmentDeadlines,
    derivative_of: Type.Object({ installment_id: Text, type: DerivativeType }, closed),
    ext: Ext,
  }),
})
