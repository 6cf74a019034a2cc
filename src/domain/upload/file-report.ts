import { type Static, Type } from "@sinclair/typebox"
import { UPLOAD_KINDS } from "./columns.ts"
import { INVALID } from "./row-reader.ts"
import type { Upload } from "./upload.ts"

const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [12] })

export const FileReport = Type.Object({
  name: Type.String({ examples: ["october.csv"] }),
  dry_run: Type.Boolean({ description: "Whether it was only checked. Then nothing of it is stored." }),
  state: Type.Union([Type.Literal("done"), Type.Literal("failed")], {
    description: "failed: none of it was reported.",
  }),
  complete: Type.Boolean({
    description: "Whether everything about your lines and codes in it is reported, or would be.",
  }),
  message: Type.String({ description: "What happened to it, in a sentence.", examples: ["12 totals reported."] }),
  kind: Type.Union(UPLOAD_KINDS.map((kind) => Type.Literal(kind))),
  preset: Type.Union([Type.String(), Type.Null()], {
    description: "The preset that the file was read with; null when its columns were known otherwise.",
    examples: ["google-ad-manager"],
  }),
  rows: count("Rows below the header."),
  accepted: count("Totals, codes or figures that are stored; in a dry run, that would be."),
  unchanged: count("Of these, totals that were known already."),
  older_than_current: count("Of these, totals of lines whose current total was measured later: it stays."),
  rejected: count("Rows that cannot be reported."),
  ignored: count("Rows of an export that do not count: about lines and codes that are not yours, and sums."),
  left_out: count("Totals that would have gone down, and were left out."),
  problems: Type.Array(
    Type.Object({
      reason: Type.String({ examples: ["not_seller"] }),
      title: Type.String(),
      text: Type.String(),
      count: count("Rows with this problem."),
      rows: Type.String({ description: "The first of them.", examples: ["3-5, 9"] }),
    }),
    { description: "Why rows were rejected or ignored, the most common first." },
  ),
  lines_left_out: Type.Array(
    Type.Object({
      line: Type.String({ description: "Your line ID, or else its `package_id`." }),
      current: Type.Number(),
      total: Type.Number({ description: "What the file says." }),
    }),
    { description: "Lines whose total would have gone down; at most 100." },
  ),
  rejected_rows: Type.String({
    description:
      "The rejected rows as CSV, as they came, with the columns row, reason and message: to correct and send again. Empty where none was rejected.",
  }),
})
export type FileReport = Static<typeof FileReport>

export function fileReport(upload: Upload, rejectedRows: string): FileReport {
  const { fileName: name, kind, rows, summary, choices } = upload
  const { refused, ignored, leftOut } = summary
  const accepted = storable(summary)
  const state = accepted > 0 ? "done" : "failed"
  return {
    name,
    dry_run: choices.sent?.dryRun === true,
    state,
    complete: state === "done" && leftOut === 0 && refused === 0,
    message: messageOf(upload),
    kind,
    preset: choices.preset?.name ?? null,
    rows,
    accepted,
    unchanged: summary.unchanged.rows,
    older_than_current: summary.older.rows,
    rejected: refused,
    ignored,
    left_out: leftOut,
    problems: summary.problems.map(({ title, text, count, rows, reason: said }) => {
      const reason = reasonIn(upload, said)
      return { reason, title, text, count, rows: rowsText(rows) }
    }),
    lines_left_out: [...summary.linesLeftOut],
    rejected_rows: rejectedRows,
  }
}

/** What the API of these rows calls it. */
export const reasonIn = ({ kind }: Pick<Upload, "kind">, reason: string): string =>
  reason === INVALID && kind !== "delivery" ? "invalid_row" : reason

const storable = ({ reported, wouldReport = 0 }: Upload["summary"]) => reported + wouldReport

const NOUNS = {
  delivery: ["total", "totals"],
  affiliate_codes: ["code", "codes"],
  affiliate_metrics: ["figure of a day", "figures of days"],
}

function messageOf({ summary, kind }: Upload): string {
  const { leftOut, refused, ignored } = summary
  if (storable(summary) === 0 && leftOut === 0 && refused === 0 && ignored > 0)
    return kind === "affiliate_metrics"
      ? "None of its rows has one of your codes. Add the codes first."
      : "None of its rows matches one of your lines. Give your lines the IDs in the file."
  const parts = [
    ...storedParts(summary, kind),
    ...(leftOut > 0 ? [`${leftOut} left out, because a total would go down`] : []),
    ...(refused > 0 ? [`${refused} rejected`] : []),
    ...(ignored > 0 ? [`${ignored} ${ignored === 1 ? "row" : "rows"} ignored`] : []),
  ]
  const sentence = parts.join("; ")
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
}

/** What is new, and what changes nothing because it is known already, or older than what is known. */
function storedParts(summary: Upload["summary"], kind: Upload["kind"]): string[] {
  const accepted = storable(summary)
  if (accepted === 0) return ["nothing reported"]
  const { unchanged, older } = summary
  const changed = accepted - unchanged.rows - older.rows
  const isStored = summary.wouldReport === undefined
  const verb = isStored ? "reported" : "would be reported"
  const nothing = isStored ? "nothing changed" : "nothing would change"
  return [
    changed === 0 ? nothing : `${changed} ${NOUNS[kind][changed === 1 ? 0 : 1]} ${verb}`,
    ...(unchanged.rows > 0 ? [`${unchanged.rows} already known`] : []),
    ...(older.rows > 0 ? [`${older.rows} older than the current total, which stays`] : []),
  ]
}

function rowsText(rows: readonly (readonly [number, number])[]): string {
  // A row with several figures may be there several times.
  return [...new Set(rows.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)))].join(", ")
}
