import type { Moment } from "../../domain/time/moment.ts"
import type { MetricToSave } from "../port/affiliates.ts"

// A code's figures of a day are bound to the line that the code pointed to when the day was first reported, wherever the code moves later.
// Figures that a later report leaves out stay as they are. Said here for a stored day (both engines) and for rows that come together.

/** What an engine does with a day that is stored. The line is not among what is set. */
export const DAY_REPORTED_AGAIN = `ON CONFLICT (code_id, date) DO UPDATE SET
  clicks = coalesce(excluded.clicks, affiliate_metric.clicks),
  conversions = coalesce(excluded.conversions, affiliate_metric.conversions),
  value_micros = coalesce(excluded.value_micros, affiliate_metric.value_micros), updated_at = excluded.updated_at`

export type Day = MetricToSave & { readonly at: Moment }

/** What the rows of a code and day come to, one after the other. */
export function dayAfter(before: Day | undefined, row: Day): Day {
  return {
    ...row,
    lineId: before?.lineId ?? row.lineId,
    clicks: row.clicks ?? before?.clicks,
    conversions: row.conversions ?? before?.conversions,
    conversionValueMicros: row.conversionValueMicros ?? before?.conversionValueMicros,
  }
}
