import { basename } from "node:path"
import { type Static, Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { type Command, Option } from "commander"
import { FIGURES, UPLOAD_BYTES_MAX } from "../../domain/upload/upload.ts"
import { UserError } from "../../domain/user-error.ts"

const SECONDS_MAX = 60

interface ReportOptions {
  readonly url: string
  readonly figures?: string
  readonly asOf?: string
  readonly allowLower?: true
  readonly dryRun?: true
  readonly json?: true
}

/** What the command needs of the server's answer. The server may say more. */
const AnswerSchema = Type.Object({
  complete: Type.Boolean(),
  dry_run: Type.Boolean(),
  message: Type.String(),
  older_than_current: Type.Integer(),
  lines_left_out: Type.Array(Type.Object({ name: Type.String(), reason: Type.String() })),
  rejected_rows: Type.Array(Type.Object({ row: Type.Integer(), message: Type.String() })),
})
type Answer = Static<typeof AnswerSchema>

/** Adds `adbooth report FILE`. */
export function registerReport(program: Command): void {
  program
    .command("report <file>")
    .summary("send totals from a file to a server")
    .description(
      "Send delivery totals, affiliate codes or affiliate figures from a CSV file or an Excel workbook to a server. The " +
        "headings tell which. Our own headings always work: package_id, impressions, downloads, as_of. Other headings work " +
        "once somebody has uploaded such a file in the app. Use - for standard input. ADBOOTH_KEY is the API key.",
    )
    .addOption(new Option("--url <url>", "address of the server").env("ADBOOTH_URL").default("http://127.0.0.1:3000"))
    .addOption(new Option("--figures <kind>", "what the rows are: totals so far, or daily figures").choices(FIGURES))
    .option("--as-of <time>", "when totals without a day were measured (default: now)")
    .option("--allow-lower", "allow totals to go down")
    .option("--dry-run", "check the file without storing anything")
    .option("--json", "print the server's answer as JSON")
    .action((file: string, options: ReportOptions, command: Command) =>
      report(file, options, process.env["ADBOOTH_KEY"] ?? "", command),
    )
}

async function report(file: string, options: ReportOptions, key: string, command: Command): Promise<void> {
  if (!/^[!-~]+$/.test(key))
    command.error("Put the API key into the environment variable ADBOOTH_KEY.", { exitCode: 2 })
  const { asOf, figures, allowLower, dryRun } = options
  const query = new URLSearchParams({ name: file === "-" ? "standard-input.csv" : basename(file) })
  for (const [name, value] of Object.entries({ figures, as_of: asOf, allow_lower: allowLower, dry_run: dryRun }))
    if (value !== undefined) query.set(name, String(value))
  const address = addressOf(options.url, query, command)
  try {
    const { text, answer } = await send(address, key, await contentOf(file))
    process.stdout.write(options.json ? `${text}\n` : `${inWords(answer)}\n`)
    process.exitCode = answer.complete ? 0 : 1
  } catch (cause) {
    if (!(cause instanceof UserError)) throw cause
    command.error(cause.message, { exitCode: 1 })
  }
}

function addressOf(url: string, query: URLSearchParams, command: Command): string {
  if (!/^https?:\/\/[^\s?#]+$/.test(url) || !URL.canParse(url))
    command.error(`--url must be an address such as https://ads.example.com. It's "${url}".`, { exitCode: 2 })
  return `${url.replace(/\/+$/, "")}/api/ingest/files?${query}`
}

async function contentOf(file: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const bytes = await (file === "-" ? Bun.stdin : Bun.file(file)).bytes()
    if (bytes.length <= UPLOAD_BYTES_MAX) return new Uint8Array(bytes)
  } catch (cause) {
    throw new UserError(`${file} can't be read: ${cause instanceof Error ? cause.message : cause}`)
  }
  throw new UserError(`${file} is larger than 20 MB. Split it.`)
}

/** Sends the file once, and a second time if the server asks for a short pause. Sending it twice counts once. */
async function send(address: string, key: string, body: Uint8Array<ArrayBuffer>) {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "text/csv" }
  const attempt = async () => {
    try {
      const response = await fetch(address, {
        method: "POST",
        headers,
        body,
        redirect: "manual",
        signal: AbortSignal.timeout(SECONDS_MAX * 1_000),
      })
      return { response, text: await response.text() }
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new UserError(`${new URL(address).origin} can't be reached: ${reason}`)
    }
  }
  let { response, text } = await attempt()
  const pause = Number(response.headers.get("retry-after"))
  if (pause > 0 && pause <= SECONDS_MAX) {
    await Bun.sleep(pause * 1_000)
    ;({ response, text } = await attempt())
  }
  return { text, answer: answerIn(response, text) }
}

function answerIn({ status, ok }: Response, text: string): Answer {
  const answer = parsed(text)
  if (ok && Value.Check(AnswerSchema, answer)) return answer
  const detail = (answer as { detail?: unknown } | null)?.detail
  if (typeof detail === "string") throw new UserError(detail)
  throw new UserError(`The answer with status ${status} isn't from an Adbooth server. Check --url.`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function inWords({ message, dry_run, older_than_current, lines_left_out, rejected_rows }: Answer): string {
  return [
    message,
    ...(older_than_current > 0 ? [`  Lines that already have a newer total, which stays: ${older_than_current}.`] : []),
    ...lines_left_out.map(({ name, reason }) => `  ${name} was left out: ${reason}`),
    ...(lines_left_out.length > 0 ? ["  If lower totals are right, send the file again with --allow-lower."] : []),
    ...rejected_rows.map(({ row, message }) => `  Row ${row}: ${message}`),
    ...(dry_run ? ["Nothing was stored: this was a dry run."] : []),
  ].join("\n")
}
