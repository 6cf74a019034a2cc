import type { Upload, UploadProblem } from "../../../domain/upload/upload.ts"
import { CsvLink } from "../parts/button-link.tsx"
import { Card } from "../parts/card.tsx"
import { formatCount, formatNumber } from "../parts/format.tsx"
import { Icon } from "../parts/icon.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { addressOf } from "./place.ts"

type ProblemsProps = Readonly<{ visit: OrganizationVisit; upload: Upload }>

/** Refused rows, by reason. What can be read in two ways is decided here for the whole file. */
export function Problems({ visit, upload }: ProblemsProps) {
  const { problems, problemKinds, refused } = upload.summary
  if (refused === 0) return null
  const address = addressOf(visit, upload)
  const download = refused === 1 ? "Download the refused row" : `Download the ${formatNumber(refused)} refused rows`
  return (
    <Card title="Problems" flush actions={<CsvLink href={`${address}/refused`} label={download} />}>
      <ul class="todo">
        {problems.map((problem) => (
          <li key={problem.title}>
            <span class="tile bad">
              <Icon name="warning" />
            </span>
            <div>
              <h3>
                <strong>{formatCount(problem.count, "row")}:</strong> {problem.title}
              </h3>
              <p>
                {rowsText(problem)} {problem.text}
              </p>
            </div>
            {problem.decide !== null && upload.state === "preview" && (
              <Decide action={`${address}/readings`} about={problem.decide} example={problem.example} />
            )}
          </li>
        ))}
      </ul>
      {problemKinds > problems.length && (
        <p class="soft card-body">
          {formatNumber(problemKinds - problems.length)} more kinds are in the downloaded file.
        </p>
      )}
    </Card>
  )
}

const list = new Intl.ListFormat("en", { type: "conjunction" })

/** Rows 15–28, 31 and 45. */
function rowsText({ rows, count }: UploadProblem): string {
  const ranges = rows.map(([from, to]) =>
    from === to ? formatNumber(from) : `${formatNumber(from)}–${formatNumber(to)}`,
  )
  const listed = rows.reduce((sum, [from, to]) => sum + to - from + 1, 0)
  const all = listed < count ? [...ranges, "more"] : ranges
  return `${count === 1 ? "Row" : "Rows"} ${list.format(all)}.`
}

const READINGS = {
  numbers: [
    ["grouped", "Thousands"],
    ["decimal", "Decimals"],
  ],
  dates: [
    ["day_first", "Day first"],
    ["month_first", "Month first"],
  ],
} as const

function Decide({
  action,
  about,
  example,
}: {
  readonly action: string
  readonly about: "numbers" | "dates"
  readonly example: string
}) {
  return (
    <form method="post" action={action} class="actions">
      {READINGS[about].map(([value, label]) => (
        <button
          key={value}
          type="submit"
          class="button small"
          name={about}
          value={value}
          aria-label={`${label}, in ${example}`}
        >
          {label}
        </button>
      ))}
    </form>
  )
}
