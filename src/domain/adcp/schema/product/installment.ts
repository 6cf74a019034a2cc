import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { SpecialCategory } from "../vocabulary.ts"

const Special = Type.Object({
  name: s.Text,
  ...s.optional({ category: SpecialCategory, starts: s.Timestamp, ends: s.Timestamp }),
})

const Talent = Type.Object({
  role: s.choice("host guest creator cast narrator producer correspondent commentator analyst"),
  name: s.Text,
  ...s.optional({ brand_url: s.Url }),
})

const ContentRating = Type.Object({
  system: s.choice("tv_parental mpaa podcast esrb bbfc fsk acb chvrs csa pegi custom"),
  rating: s.Text,
})

const AdInventoryConfig = Type.Object({
  expected_breaks: s.Whole,
  ...s.optional({
    total_ad_seconds: s.Whole,
    max_ad_duration_seconds: s.AtLeastOne,
    unplanned_breaks: s.Flag,
    supported_formats: Type.Array(s.Text),
  }),
})

const MaterialDeadline = Type.Object({ stage: s.Text, due_at: s.Timestamp, ...s.optional({ label: s.Text }) })

const InstallmentDeadlines = s.partial(
  {
    booking_deadline: s.Timestamp,
    cancellation_deadline: s.Timestamp,
    material_deadlines: s.nonEmpty(MaterialDeadline),
  },
  { minProperties: 1 },
)

export const Installment = Type.Object({
  installment_id: s.Text,
  ...s.optional({
    ...s.fields(s.Text, "collection_id name season installment_number"),
    scheduled_at: s.Timestamp,
    status: s.choice("scheduled tentative live postponed cancelled aired published"),
    duration_seconds: s.Whole,
    flexible_end: s.Flag,
    valid_until: s.Timestamp,
    content_rating: ContentRating,
    topics: Type.Array(s.Text),
    special: Special,
    guest_talent: Type.Array(Talent),
    ad_inventory: AdInventoryConfig,
    deadlines: InstallmentDeadlines,
    derivative_of: Type.Object(
      { installment_id: s.Text, type: s.choice("clip highlight recap trailer bonus") },
      s.closed,
    ),
    ext: s.Ext,
  }),
})
