import type { AskedBrief } from "../../../domain/demand/demand-tally.ts"
import { type Offer, whyNothing } from "../../../domain/demand/why-nothing.ts"
import { formatMoment } from "../../../domain/time/moment.ts"
import { CodeChips } from "../parts/form/choices.tsx"
import { Ago, formatMoney, formatNumber } from "../parts/format.tsx"
import type { Column } from "../parts/table.tsx"
import { formatInWords, whyInWords } from "./words.ts"

/** What is known beside the briefs themselves. */
export interface Known {
  readonly offer: Offer
  readonly keyNames: ReadonlyMap<string, string>
  readonly productNames: ReadonlyMap<string, string>
}

const soft = (text: string) => <span class="soft">{text}</span>
const budgetOf = ({ budget, currency }: AskedBrief) =>
  budget === null ? soft("Not given") : formatMoney(budget, currency)

const callerOf = ({ agentKeyId }: AskedBrief, { keyNames }: Known) =>
  agentKeyId === null ? "Without a key" : (keyNames.get(agentKeyId) ?? agentKeyId)

function askedColumns(known: Known): Column<AskedBrief>[] {
  return [
    {
      title: "Brief",
      cell: (brief) => (
        <>
          <b class="wrap">“{brief.brief}”</b>
          <br />
          <span class="soft small">
            {callerOf(brief, known)} · <Ago at={brief.lastAt} />
          </span>
        </>
      ),
    },
    {
      title: "Countries",
      cell: ({ countries }) => (countries.length === 0 ? soft("Any") : <CodeChips codes={countries} />),
    },
    { title: "Budget", cell: budgetOf, numeric: true },
    { title: "Format", cell: ({ formats }) => formats.map(formatInWords).join("; ") || soft("Any") },
    { title: "Asked", cell: ({ asked }) => `${formatNumber(asked)}×`, numeric: true },
  ]
}

export const unmatchedColumns = (known: Known): Column<AskedBrief>[] => [
  ...askedColumns(known),
  { title: "Why nothing matched", phone: "span", cell: (brief) => whyInWords(whyNothing(brief, known.offer)) },
]

export const matchedColumns = (known: Known): Column<AskedBrief>[] => [
  ...askedColumns(known),
  { title: "Products", cell: ({ matched }) => formatNumber(matched), numeric: true },
  {
    title: "First in the answer",
    cell: ({ firstProduct }) => (firstProduct === null ? "" : (known.productNames.get(firstProduct) ?? firstProduct)),
  },
]

export const briefCsvColumns = (known: Known): Column<AskedBrief>[] => [
  { title: "week", value: ({ week }) => week },
  { title: "brief", value: ({ brief }) => brief },
  { title: "caller", value: (brief) => callerOf(brief, known) },
  { title: "countries", value: ({ countries }) => countries.join(" ") },
  { title: "formats", value: ({ formats }) => formats.join(", ") },
  { title: "budget", value: ({ budget }) => budget },
  { title: "currency", value: ({ currency }) => currency },
  { title: "asked", value: ({ asked }) => asked },
  { title: "products_matched", value: ({ matched }) => matched },
  { title: "first_product", value: ({ firstProduct }) => firstProduct },
  { title: "last_asked", value: ({ lastAt }) => formatMoment(lastAt) },
]
