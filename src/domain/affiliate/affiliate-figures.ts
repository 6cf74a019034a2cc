/** Clicks, conversions and their value (in millionths), summed exactly. Null where none was ever reported. */
export interface Figures {
  readonly clicks: bigint | null
  readonly conversions: bigint | null
  readonly valueMicros: bigint | null
}

export const NO_FIGURES: Figures = { clicks: null, conversions: null, valueMicros: null }

export function addFigures(one: Figures, other: Figures): Figures {
  return {
    clicks: add(one.clicks, other.clicks),
    conversions: add(one.conversions, other.conversions),
    valueMicros: add(one.valueMicros, other.valueMicros),
  }
}

function add(one: bigint | null, other: bigint | null): bigint | null {
  return one === null ? other : one + (other ?? 0n)
}

export interface CampaignFigures extends Figures {
  readonly campaign: string
  readonly campaignName: string
  readonly currency: string | null
  readonly codes: number
}

type CodeOfCampaign = Figures & Omit<CampaignFigures, "codes"> & { readonly codeId: number }

/** Totals per campaign and currency: values in different currencies cannot be added. */
export function byCampaign(codes: readonly CodeOfCampaign[]): CampaignFigures[] {
  const totals = new Map<string, CampaignFigures>()
  // A code that moved between two lines of a campaign comes twice.
  const counted = new Set<string>()
  for (const code of codes) {
    const { campaign, campaignName, currency } = code
    const id = JSON.stringify([campaign, currency])
    const before = totals.get(id)
    const sum = addFigures(before ?? NO_FIGURES, code)
    const codes = (before?.codes ?? 0) + (counted.has(`${id} ${code.codeId}`) ? 0 : 1)
    counted.add(`${id} ${code.codeId}`)
    totals.set(id, { campaign, campaignName, currency, codes, ...sum })
  }
  return [...totals.values()]
}
