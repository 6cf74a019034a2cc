import { inNaturalOrder } from "../../../domain/lists/list-query.ts"
import { EXTERNAL_ID, LINE_NAME } from "../../../domain/upload/columns.ts"
import type { Upload, UploadProblem } from "../../../domain/upload/upload.ts"
import { Card, Submit, type Todo, TodoList } from "../parts/blocks.tsx"
import { type Choice, Options } from "../parts/form/choices.tsx"
import { dotted, formatCount, formatNumber } from "../parts/format.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { addressOf, type OfUpload } from "./upload-page.tsx"

/** All lines that are not archived, to choose one of by hand. */
export async function linesToChoose({ context, organization }: OrganizationVisit): Promise<Choice[]> {
  const lines = await context.store.packageLines.listWithTotals(organization.id)
  const current = lines.filter(({ archived }) => !archived).map((line) => ({ ...line, lineId: line.id }))
  return inNaturalOrder(current, () => 0).map(({ packageId: value, name, campaignName }) => ({
    value,
    label: dotted(name, campaignName),
  }))
}

/** Whether rows are of lines that somebody may know by another name. */
const hasNames = ({ choices: { columns } }: Upload) =>
  columns?.some((meaning) => meaning === EXTERNAL_ID || meaning === LINE_NAME) ?? false

/** What the page needs to say whose the names in a file are. */
export async function namesIn(visit: OrganizationVisit, upload: Upload) {
  const isAsked =
    upload.state === "open" && hasNames(upload) && upload.summary.problems.some(({ decide }) => decide === "line")
  const { lines: remembered } = await visit.context.store.uploads.remembered(visit.organization.id)
  const said = new Map([...remembered, ...Object.entries(upload.choices.matches)])
  return { lines: isAsked ? await linesToChoose(visit) : [], said }
}

// The next ones are offered once these are decided.
const OFFERED_AT_ONCE = 10

type NamesProps = OfUpload & Awaited<ReturnType<typeof namesIn>>

/** Rows about lines and codes that the organization does not have. A name that means one of its lines is chosen here, by hand. */
export function NotYours({ visit, upload, lines, said }: NamesProps) {
  const { ignored, problems, sums } = ignoredIn(upload)
  if (ignored === 0) return null
  const address = addressOf(visit, upload)
  const isOpen = upload.state === "open"
  const isNotMine = ({ example }: UploadProblem) => said.get(example) === ""
  const offered = problems.filter((problem) => !isNotMine(problem)).slice(0, OFFERED_AT_ONCE)
  const todos = problems.map((problem): Todo => {
    const { example, title, count } = problem
    const row = { tone: "off", icon: "info", subject: `${formatCount(count, "row")}:` } as const
    if (isNotMine(problem))
      return {
        ...row,
        what: `“${example.slice(0, 60)}” is not yours`,
        text: rowsText(problem),
        ways: isOpen && <Undo address={address} text={example} />,
      }
    const isOffered = lines.length > 0 && offered.includes(problem)
    return {
      ...row,
      what: title,
      text: rowsText(problem),
      below: isOffered && <ChooseLine address={address} text={example} lines={lines} />,
    }
  })
  const more = ignored - sums - problems.reduce((sum, { count }) => sum + count, 0)
  return (
    <Card title="Not yours, ignored" count={formatCount(ignored - sums, "row")} flush>
      <TodoList todos={todos} />
      {more > 0 && <p class="soft card-body">And {formatCount(more, "row")} more.</p>}
    </Card>
  )
}

/** Sums of other rows are ignored, too, and said elsewhere. */
function ignoredIn({ summary: { ignored, problems } }: Upload) {
  const sums = problems.filter(({ decide }) => decide === "sums").reduce((sum, { count }) => sum + count, 0)
  return {
    ignored: ignored - sums > 0 ? ignored : 0,
    sums,
    problems: problems.filter((one) => one.isIgnored && one.decide !== "sums"),
  }
}

type ChooseProps = Readonly<{ address: string; text: string; lines: readonly Choice[] }>

function ChooseLine({ address, text, lines }: ChooseProps) {
  return (
    <form method="post" action={`${address}/match`} class="actions">
      <input type="hidden" name="text" value={text} />
      <select name="line" aria-label={`The line that ${text} means`}>
        <option value="">Choose the line</option>
        <Options choices={lines} chosen="" />
      </select>
      <Submit small label="It is this line" about={`It is this line: ${text}`} />
      <Submit small name="not_mine" value="yes" label="Not mine" about={`${text} is not mine`} />
    </form>
  )
}

const Undo = ({ address, text }: Omit<ChooseProps, "lines">) => (
  <form method="post" action={`${address}/match`} class="actions">
    <input type="hidden" name="text" value={text} />
    <Submit small name="undo" value="yes" label="Undo" about={`Undo: ${text}`} />
  </form>
)

/** Names that count as a line because somebody said so, now or before. */
export function ChosenNames({ visit, upload, chosen }: OfUpload & { readonly chosen: ReadonlyMap<string, string> }) {
  const address = addressOf(visit, upload)
  const todos = [...chosen].map(
    ([text, line]): Todo => ({
      ...{ tone: "live", icon: "info", subject: `“${text.slice(0, 60)}”` },
      what: `counts as ${line}`,
      text: "Chosen by hand. Later files are read the same way once this one is reported.",
      ways: <Undo address={address} text={text} />,
    }),
  )
  if (todos.length === 0) return null
  return (
    <Card title="Names that you chose" flush>
      <TodoList todos={todos} />
    </Card>
  )
}

const list = new Intl.ListFormat("en-GB", { type: "conjunction" })

/** Rows 15–28, 31 and 45. */
export function rowsText({ rows, count }: UploadProblem): string {
  const ranges = rows.map(([from, to]) =>
    from === to ? formatNumber(from) : `${formatNumber(from)}–${formatNumber(to)}`,
  )
  const listed = rows.reduce((sum, [from, to]) => sum + to - from + 1, 0)
  const all = listed < count ? [...ranges, "more"] : ranges
  return `${count === 1 ? "Row" : "Rows"} ${list.format(all)}.`
}
