import { DECIMAL, readNumber } from "../../../domain/text/typed-number.ts"
import type { UploadProblem } from "../../../domain/upload/upload.ts"
import { Banner, Card, CsvLink, Submit, type Todo, TodoList } from "../parts/blocks.tsx"
import { formatCount, formatNumber } from "../parts/format.tsx"
import { rowsText } from "./names.tsx"
import { addressOf, type OfUpload } from "./upload-page.tsx"

/** What does not count, unless somebody says so: rows above the headings, and sums of other rows. */
export function LeftOut({ visit, upload }: OfUpload) {
  const sums = upload.summary.problems.find(({ decide }) => decide === "sums")
  const { headerRow } = upload.choices.layout
  if (sums === undefined && headerRow === 1) return null
  const address = addressOf(visit, upload)
  return (
    <Banner tone="info">
      {headerRow > 1 && (
        <p>
          Left out above the headings: {headerRow === 2 ? "row 1" : `rows 1–${formatNumber(headerRow - 1)}`}. If the
          headings are elsewhere, delete everything above them in the file and upload it again.
        </p>
      )}
      {sums !== undefined && [
        <p>
          Left out as {sums.count === 1 ? "the sum of other rows" : "sums of other rows"} (“{sums.example}”):{" "}
          {rowsText(sums)}
        </p>,
        <form class="actions" method="post" action={`${address}/readings`}>
          <Submit small name="sums" value="keep" label={sums.count === 1 ? "Put it back" : "Put them back"} />
        </form>,
      ]}
    </Banner>
  )
}

/** Refused rows, by reason. What can be read in two ways is decided here for the whole file. */
export function Problems({ visit, upload }: OfUpload) {
  const { problems, refused } = upload.summary
  if (refused === 0) return null
  const address = addressOf(visit, upload)
  const shown = problems.filter(({ isIgnored }) => isIgnored !== true)
  const isOpen = upload.state === "open"
  const todos = shown.map((problem): Todo => {
    const { count, title: what, text } = problem
    return {
      ...{ tone: "bad", icon: "warning", subject: `${formatCount(count, "row")}:`, what },
      text: `${rowsText(problem)} ${text}`,
      ways: isOpen && <Decide address={address} problem={problem} />,
    }
  })
  const more = refused - shown.reduce((sum, { count }) => sum + count, 0)
  const download = refused === 1 ? "Download the refused row" : `Download the ${formatNumber(refused)} refused rows`
  // Of a program's file only the answer had them.
  const actions = upload.choices.sent === null && <CsvLink href={`${address}/refused`} label={download} />
  return (
    <Card title="Refused" count={formatCount(refused, "row")} flush actions={actions}>
      <TodoList todos={todos} />
      {more > 0 && <p class="soft card-body">{formatCount(more, "more row")} in the download.</p>}
    </Card>
  )
}

/** "212.400" read as thousands, and as a decimal. */
const readAs = (example: string, ambiguous: "grouped" | "decimal") => {
  const read = readNumber(example, { ...DECIMAL, ambiguous })
  return [ambiguous, read.ok ? `Read as ${formatNumber(read.value)}` : ambiguous] as const
}

const READINGS = {
  numbers: (example: string) => [readAs(example, "grouped"), readAs(example, "decimal")],
  dates: () => [
    ["day_first", "Day first"],
    ["month_first", "Month first"],
  ],
  parts: () => [["add", "Add them up"]],
  before: () => [["nothing", "Nothing was delivered on those days"]],
} as const

type DecideProps = Readonly<{ address: string; problem: UploadProblem }>

function Decide({ address, problem: { decide, example } }: DecideProps) {
  if (decide === null || !(decide in READINGS)) return null
  const about = decide as keyof typeof READINGS
  return (
    <form method="post" action={`${address}/readings`} class="actions">
      {READINGS[about](example).map(([value, label]) => (
        <Submit small name={about} value={value} label={label} about={`${label}, in ${example}`} />
      ))}
    </form>
  )
}
