import { expect, test } from "bun:test"
import { byCampaign } from "../../../src/domain/affiliate/affiliate-figures.ts"

const row = (codeId: number, currency: string | null, clicks: bigint | null, campaign = "autumn") => ({
  codeId,
  campaign,
  campaignName: campaign,
  currency,
  clicks,
  conversions: null,
  valueMicros: clicks,
})

test("figures of a campaign are summed for each currency, and a code counts once on however many lines it has figures", () => {
  const rows = [
    row(1, "EUR", 1n),
    row(2, "EUR", 2n),
    row(1, "EUR", 4n),
    row(1, "USD", 8n),
    row(3, null, null, "winter"),
  ]
  expect(byCampaign(rows)).toEqual([
    { ...named("autumn", "EUR"), codes: 2, clicks: 7n, conversions: null, valueMicros: 7n },
    { ...named("autumn", "USD"), codes: 1, clicks: 8n, conversions: null, valueMicros: 8n },
    { ...named("winter", null), codes: 1, clicks: null, conversions: null, valueMicros: null },
  ])
})

function named(campaign: string, currency: string | null) {
  return { campaign, campaignName: campaign, currency }
}
