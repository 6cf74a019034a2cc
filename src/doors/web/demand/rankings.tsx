import { nameOfCountry } from "../../../domain/countries.ts"
import type { DemandSummary, Ranked } from "../../../domain/demand/demand-summary.ts"
import { Card } from "../parts/blocks.tsx"
import { type RankedBar, RankedBars } from "../parts/charts/bars.tsx"
import type { Known } from "./briefs.tsx"
import { formatInWords } from "./words.ts"

const SHOWN_MAX = 8
const NEVER_SHOWN_MAX = 6

/** What was asked for most, and which products were shown often or never. */
export function Rankings({ summary, known }: { readonly summary: DemandSummary; readonly known: Known }) {
  return (
    <div class="cols">
      <RankingCard title="Countries" of="Calls" bars={bars(summary.countries, nameOfCountry)} />
      <RankingCard title="Formats" of="Calls" bars={bars(summary.formats, formatInWords)} />
      <RankingCard title="Products shown" of="Times" bars={shownProducts(summary, known)} />
    </div>
  )
}

function RankingCard({ title, of, bars: shown }: { readonly title: string; of: string; bars: readonly RankedBar[] }) {
  return (
    <Card title={title} actions={<span class="soft small">{of}</span>}>
      {shown.length === 0 ? <p class="soft">None in this period.</p> : <RankedBars bars={shown} />}
    </Card>
  )
}

/** Marked where no call that asked for it matched anything. */
function bars(found: readonly Ranked[], nameOf: (value: string) => string): RankedBar[] {
  return found.slice(0, SHOWN_MAX).map(({ value, calls, unmatched }) => ({
    label: nameOf(value),
    value: calls,
    ...(unmatched === calls && { missing: "never matched" }),
  }))
}

function shownProducts({ products }: DemandSummary, { productNames }: Known): RankedBar[] {
  const shown = new Set(products.map(({ value }) => value))
  const never = [...productNames].filter(([id]) => !shown.has(id)).slice(0, NEVER_SHOWN_MAX)
  const often = products.slice(0, SHOWN_MAX).map(({ value, calls }) => ({
    label: productNames.get(value) ?? value,
    value: calls,
  }))
  return [...often, ...never.map(([, name]) => ({ label: name, value: 0, missing: "never shown" }))]
}
