/** Clicks, conversions and their value (in millionths), summed exactly. Null where none was ever reported. */
export type Figures = Readonly<{ clicks: bigint | null; conversions: bigint | null; valueMicros: bigint | null }>

export const NO_FIGURES: Figures = { clicks: null, conversions: null, valueMicros: null }

export const addFigures = (a: Figures, b: Figures): Figures => ({
  clicks: add(a.clicks, b.clicks),
  conversions: add(a.conversions, b.conversions),
  valueMicros: add(a.valueMicros, b.valueMicros),
})

const add = (a: bigint | null, b: bigint | null): bigint | null => (a === null ? b : a + (b ?? 0n))

export interface CampaignFigures extends Figures {
  readonly campaign: string
  readonly campaignName: string
  readonly currency: string | null
  readonly codes: number
}

type CodeOfCampaign = Figures & Omit<CampaignFigures, "codes"> & { readonly codeId: number }

/** Totals per campaign and currency: values in different currencies cannot be added. */
export function byCampaign(codes: readonly CodeOfCampaign[]): CampaignFigures[] {
  const totals = new Map<string, { first: CodeOfCampaign; sum: Figures; codeIds: Set<number> }>()
  for (const code of codes) {
    const id = `${code.campaign} ${code.currency ?? ""}`
    const total = totals.getOrInsertComputed(id, () => ({ first: code, sum: NO_FIGURES, codeIds: new Set() }))
    total.sum = addFigures(total.sum, code)
    // A code that moved between two lines of a campaign comes twice.
    total.codeIds.add(code.codeId)
  }
  return [...totals.values()].map(({ first: { campaign, campaignName, currency }, sum, codeIds }) => {
    return { campaign, campaignName, currency, codes: codeIds.size, ...sum }
  })
}
