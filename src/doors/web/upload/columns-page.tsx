import { chooseColumns } from "../../../actions/upload/decide.ts"
import { type CheckedColumn, checkColumns } from "../../../actions/upload/match-columns.ts"
import { UPLOAD_FORMATS } from "../../../domain/upload/columns.ts"
import type { Upload } from "../../../domain/upload/upload.ts"
import { type Errors, readForm } from "../form.ts"
import { Badge, Card } from "../parts/blocks.tsx"
import { Checkbox, Options, RadioCards } from "../parts/form/choices.tsx"
import { Form } from "../parts/form/form.tsx"
import { formatCount } from "../parts/format.tsx"
import { BareTable, type Column } from "../parts/table.tsx"
import { goTo } from "../respond.ts"
import type { OrganizationVisit } from "../visit.ts"
import { addressOf, baseOf, changeBy, uploadPage } from "./upload-page.tsx"

export async function columnsPage(
  visit: OrganizationVisit,
  upload: Upload,
  chosen: readonly string[] | null = null,
  errors: Errors = {},
): Promise<Response> {
  const columns = await checkColumns(visit.context, upload, visit.organization.timeZone, chosen)
  const used = columns.filter(({ meaning }) => meaning !== "").length
  return uploadPage(visit, upload, {
    step: 1,
    body: (
      <Form
        action={`${addressOf(visit, upload)}/columns`}
        submit="Show the preview"
        cancel={baseOf(visit)}
        cancelLabel="Choose another file"
        values={{ rows: "" }}
        errors={errors}
        saveNote="Nothing is reported yet."
      >
        <Card
          flush
          title="What do these columns mean?"
          count={`${formatCount(columns.length, "column")}, ${used} used`}
        >
          <BareTable
            caption="Columns of the file"
            columns={tableOf(upload)}
            rows={columns}
            rowKey={({ place }) => place}
          />
        </Card>
        <Card label="How to read the file">
          {isDaily(upload) && <RadioCards name="rows" label="What are the figures?" choices={ROWS} />}
          <Checkbox
            name="remember"
            label="Remember this for files with the same columns"
            hint="After this file is reported, the next one goes straight to the preview."
            checked
          />
        </Card>
      </Form>
    ),
  })
}

const TOTALS = "totals"
const ROWS = [
  { value: "", label: "Parts to add up", note: "Each row is one day." },
  { value: TOTALS, label: "Totals so far", note: "Each row is everything delivered up to its day." },
]

const isDaily = ({ choices: { preset } }: Upload) => preset?.kind === "delivery" && preset.rows === "daily"

function tableOf({ kind }: Upload): Column<CheckedColumn>[] {
  const choices = [
    { value: "", label: "Ignore" },
    ...UPLOAD_FORMATS[kind].meanings.map(({ name, label }) => ({ value: name, label })),
  ]
  return [
    { title: "Column", cell: ({ name }) => <code>{name === "" ? "(no name)" : name}</code> },
    {
      title: "First rows",
      cell: ({ values }) => (
        <span class="samples">
          {values.map((value) => (
            <span key={value}>{value}</span>
          ))}
        </span>
      ),
    },
    {
      title: "Means",
      cell: ({ place, name, meaning }) => (
        <select name={`column_${place}`} aria-label={`Meaning of ${name === "" ? `column ${place + 1}` : name}`}>
          <Options choices={choices} chosen={meaning} />
        </select>
      ),
    },
    {
      title: "How we read it",
      phone: "span",
      cell: ({ meaning, isOurs, check }) =>
        meaning !== "" && (
          <>
            {isOurs ? (
              <Badge tone="good" shape="done">
                Same name as ours
              </Badge>
            ) : (
              <Badge tone="live">Suggested</Badge>
            )}
            {check !== null && <small class={check.isGood ? undefined : "tone warn"}>{check.text}</small>}
          </>
        ),
    },
  ]
}

export async function submitColumns(visit: OrganizationVisit, upload: Upload): Promise<Response> {
  const form = await readForm(visit.request)
  const count = upload.choices.columns?.length ?? 0
  const columns = Array.from({ length: count }, (_, place) => form.text(`column_${place}`))
  const wishes = { columns, remember: form.has("remember"), rowsAreTotals: form.text("rows") === TOTALS }
  const outcome = await chooseColumns(visit.context, upload, wishes, changeBy(visit))
  if (!outcome.ok && outcome.problem !== null) return columnsPage(visit, upload, columns, { "": outcome.problem })
  await visit.context.uploads.settled()
  return goTo(visit, addressOf(visit, upload))
}
