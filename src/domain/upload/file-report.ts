import { type Static, Type } from "@sinclair/typebox"
import { UPLOAD_KINDS } from "./columns.ts"
import type { PreviewedLine, Upload } from "./upload.ts"

const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [12] })

export const FileReport = Type.Object({
  id: Type.Integer({ description: "Ask for this file again at /api/ingest/files/ID.", examples: [7] }),
  name: Type.String({ examples: ["october.csv"] }),
  state: Type.Union([Type.Literal("working"), Type.Literal("done"), Type.Literal("failed")], {
    description: "working: ask again in a second or two. failed: none of it was reported.",
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
  reported: count("Totals, codes or figures that are stored."),
  left_out: count("Totals that would have gone down, and were left out."),
  rejected: count("Rows that cannot be reported. Those about unknown lines and codes are counted too."),
  unknown: count("Rows about lines and codes that are not yours, or do not exist."),
  problems: Type.Array(
    Type.Object({
      title: Type.String(),
      text: Type.String(),
      count: count("Rows with this problem."),
      rows: Type.String({ description: "The first of them.", examples: ["3-5, 9"] }),
    }),
    { description: "Why rows were rejected, the most common first." },
  ),
  lines_left_out: Type.Array(
    Type.Object({
      line: Type.String({ description: "Your line ID, or the package ID." }),
      current: Type.Number(),
      total: Type.Number({ description: "What the file says." }),
    }),
    { description: "Lines whose total would have gone down; at most 100." },
  ),
})
export type FileReport = Static<typeof FileReport>

export function fileReport(upload: Upload, left: readonly PreviewedLine[]): FileReport {
  const { id, fileName: name, kind, rows, summary, choices } = upload
  const { reported, leftOut, refused, unknown, problems } = summary
  const state = stateOf(upload)
  return {
    id,
    name,
    state,
    complete: isComplete(upload),
    message: messageOf(upload),
    kind,
    preset: choices.preset?.name ?? null,
    rows,
    reported: state === "done" ? reported : 0,
    left_out: leftOut,
    rejected: refused,
    unknown,
    problems: problems.map(({ title, text, count, rows }) => ({ title, text, count, rows: rowsText(rows) })),
    lines_left_out: left.map(({ ref, before, asked }) => ({ line: ref, current: before?.quantity ?? 0, total: asked })),
  }
}

const storable = ({ reported, wouldReport = 0 }: Upload["summary"]) => reported + wouldReport

function stateOf({ state, summary }: Upload): FileReport["state"] {
  if (state === "reading" || state === "reporting") return "working"
  return state === "done" && storable(summary) > 0 ? "done" : "failed"
}

/** Rows about unknown lines do not matter: an ad server has lines that are sold elsewhere. */
function isComplete({ state, summary }: Upload): boolean {
  const { problem, leftOut, refused, unknown } = summary
  return state === "done" && problem === "" && storable(summary) > 0 && leftOut === 0 && refused === unknown
}

const NOUNS = { delivery: "total", affiliate_codes: "code", affiliate_metrics: "figure of a day" }
const PLURALS = { delivery: "totals", affiliate_codes: "codes", affiliate_metrics: "figures of days" }

const OTHERS = { delivery: "other lines", affiliate_codes: "other lines", affiliate_metrics: "other codes" }

function messageOf(upload: Upload): string {
  const { state, summary, kind, rowsDone } = upload
  const { problem, leftOut, refused, unknown } = summary
  const reported = storable(summary)
  if (state === "reading" || state === "reporting") return `${rowsDone} rows done so far.`
  if (problem !== "") return problem
  if (state !== "done") return "A person has taken this file over in the app."
  if (reported === 0 && leftOut === 0 && refused > 0 && refused === unknown)
    return kind === "affiliate_metrics"
      ? "None of its rows has one of your codes. Add the codes first."
      : "None of its rows matches one of your lines. Give your lines the IDs in the file."
  const verb = summary.wouldReport === undefined ? "reported" : "would be reported"
  const parts = [
    reported === 0 ? "nothing reported" : `${reported} ${(reported === 1 ? NOUNS : PLURALS)[kind]} ${verb}`,
    ...(leftOut > 0 ? [`${leftOut} left out, because a total would go down`] : []),
    ...(refused > unknown ? [`${refused - unknown} rejected`] : []),
    ...(unknown > 0 ? [`${unknown} ${unknown === 1 ? "row" : "rows"} about ${OTHERS[kind]} ignored`] : []),
  ]
  const sentence = parts.join("; ")
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
}

function rowsText(rows: readonly (readonly [number, number])[]): string {
  // A row with several figures may be there several times.
  return [...new Set(rows.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)))].join(", ")
}
