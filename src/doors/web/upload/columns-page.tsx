import { chooseColumns } from "../../../actions/upload/decide.ts"
import { type CheckedColumn, checkColumns } from "../../../actions/upload/match-columns.ts"
import { UPLOAD_FORMATS } from "../../../domain/upload/columns.ts"
import type { Upload } from "../../../domain/upload/upload.ts"
import { type Errors, readForm } from "../form.ts"
import { Card } from "../parts/blocks.tsx"
import { Badge } from "../parts/feedback.tsx"
import { Checkbox, Options, Select } from "../parts/form/choices.tsx"
import { Form } from "../parts/form/form.tsx"
import { BareTable, type Column } from "../parts/table.tsx"
import { goTo } from "../respond.ts"
import type { OrganizationVisit } from "../visit.ts"
import { addressOf, changeBy, uploadPage } from "./upload-page.tsx"

/** Asks what the columns of a file mean. */
export async function columnsPage(
  visit: OrganizationVisit,
  upload: Upload,
  chosen: readonly string[] | null = null,
  errors: Errors = {},
): Promise<Response> {
  const columns = await checkColumns(visit.context, upload, visit.organization.timeZone, chosen)
  return uploadPage(visit, upload, {
    step: 1,
    body: (
      <Card title="What do these columns mean?" flush>
        <div class="card-body">
          <Form action={`${addressOf(visit, upload)}/columns`} submit="Read the file" values={{}} errors={errors}>
            <BareTable
              caption="Columns of the file"
              columns={tableOf(upload)}
              rows={columns}
              rowKey={({ place }) => place}
            />
            {isDaily(upload) && <Select name="rows" label="The figures are" choices={ROWS} />}
            <Checkbox name="remember" label="Remember this for the next file" checked />
          </Form>
        </div>
      </Card>
    ),
  })
}

const TOTALS = "totals"
const ROWS = [
  { value: "", label: "of single days: add them up" },
  { value: TOTALS, label: "totals to date" },
]

const isDaily = ({ choices: { preset } }: Upload) => preset?.kind === "delivery" && preset.rows === "daily"

function tableOf({ kind }: Upload): Column<CheckedColumn>[] {
  const choices = [
    { value: "", label: "Ignore" },
    ...UPLOAD_FORMATS[kind].meanings.map(({ name, label }) => ({ value: name, label })),
  ]
  return [
    { title: "Column", cell: ({ name }) => <code>{name === "" ? "(no name)" : name}</code> },
    { title: "In the first rows", cell: ({ values }) => <span class="soft">{values.join(", ")}</span> },
    {
      title: "Means",
      cell: ({ place, name, meaning }) => (
        <select name={`column_${place}`} aria-label={`Meaning of ${name === "" ? `column ${place + 1}` : name}`}>
          <Options choices={choices} chosen={meaning} />
        </select>
      ),
    },
    {
      title: "Check",
      cell: ({ check }) =>
        check === null ? null : (
          <Badge tone={check.isGood ? "good" : "warn"} {...(check.isGood && { shape: "done" })}>
            {check.text}
          </Badge>
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
