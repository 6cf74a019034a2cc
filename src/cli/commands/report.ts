import { basename } from "node:path"
import { type Static, Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { type Command, Option } from "commander"
import { messageOf, UserError } from "../../domain/errors.ts"
import { FIGURES, UPLOAD_BYTES_MAX } from "../../domain/upload/upload.ts"
import { examples, readNamed, UsageError } from "../context.ts"
import { printJson, printText } from "../print.ts"

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
  lines_left_out: Type.Array(Type.Object({ name: Type.String(), reason: Type.String(), is_lower: Type.Boolean() })),
  rejected_rows: Type.Array(Type.Object({ row: Type.Integer(), message: Type.String() })),
  skipped_names: Type.Array(Type.Object({ name: Type.String() })),
})
type Answer = Static<typeof AnswerSchema>

/** Adds `adbooth report FILE`. */
export function registerReport(program: Command): void {
  program
    .command("report <file>")
    .summary("send totals from a file to a server")
    .description(
      "Send delivery totals, affiliate codes or affiliate metrics from a CSV or Excel file. The server detects the type. " +
        "Our own headings always work: package_id, impressions, downloads, as_of. Other headings work " +
        "once you have uploaded such a file in the app. Use - for standard input. ADBOOTH_KEY is the API key.",
    )
    .addOption(new Option("--url <url>", "address of the server").env("ADBOOTH_URL").default("http://127.0.0.1:3000"))
    .addOption(
      new Option("--figures <kind>", "whether each row is a running total (totals) or one day (daily)").choices(
        FIGURES,
      ),
    )
    .option("--as-of <time>", "when totals without a day were measured (default: now)")
    .option("--allow-lower", "allow totals to go down")
    .option("--dry-run", "check the file without storing anything")
    .option("--json", "print the server's answer as JSON")
    .addHelpText("after", examples("report totals.csv --url https://ads.example.com", "report totals.csv --dry-run"))
    .action((file: string, options: ReportOptions) => report(file, options, process.env["ADBOOTH_KEY"] ?? ""))
}

async function report(file: string, options: ReportOptions, key: string): Promise<void> {
  if (!/^[!-~]+$/.test(key)) throw new UsageError("Put the API key into the environment variable ADBOOTH_KEY.")
  const { asOf, figures, allowLower, dryRun } = options
  const query = new URLSearchParams({ name: file === "-" ? "standard-input.csv" : basename(file) })
  for (const [name, value] of Object.entries({ figures, as_of: asOf, allow_lower: allowLower, dry_run: dryRun }))
    if (value !== undefined) query.set(name, String(value))
  const { content, answer } = await send(addressOf(options.url, query), key, await contentOf(file))
  await (options.json ? printJson(content) : printText(inWords(answer)))
  if (!answer.complete) throw new UserError("Not everything was reported.")
}

function addressOf(url: string, query: URLSearchParams): string {
  if (!/^https?:\/\/[^\s?#]+$/.test(url) || !URL.canParse(url))
    throw new UsageError(`--url must be an address such as https://ads.example.com, not "${url}".`)
  return `${url.replace(/\/+$/, "")}/api/ingest/files?${query}`
}

async function contentOf(file: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readNamed(file)
  if (bytes.length > UPLOAD_BYTES_MAX) throw new UserError(`${file} is larger than 20 MB. Split it.`)
  return bytes
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
      throw new UserError(`${new URL(address).origin} can't be reached: ${messageOf(cause)}`)
    }
  }
  let { response, text } = await attempt()
  const pause = Number(response.headers.get("retry-after"))
  if (pause > 0 && pause <= SECONDS_MAX) {
    await Bun.sleep(pause * 1_000)
    ;({ response, text } = await attempt())
  }
  return answerIn(response, parsed(text))
}

/** The whole answer, and what is known of it. */
function answerIn({ status, ok }: Response, content: unknown): { readonly content: unknown; readonly answer: Answer } {
  if (ok && Value.Check(AnswerSchema, content)) return { content, answer: content }
  const detail = (content as { detail?: unknown } | null)?.detail
  if (typeof detail === "string") throw new UserError(withOptions(detail))
  throw new UserError(`Got status ${status} from something that isn't an Adbooth server. Check --url.`)
}

/** Names options where the server names its parameters. */
const withOptions = (detail: string): string =>
  detail.replace(/(?:the parameter )?\bfigures=(\w+)/g, "--figures $1").replace("The parameter as_of", "--as-of")

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const NAMES_MAX = 10

function inWords({
  message,
  dry_run,
  older_than_current,
  lines_left_out,
  rejected_rows,
  skipped_names,
}: Answer): string {
  const skipped = skipped_names.slice(0, NAMES_MAX).map(({ name }) => name)
  if (skipped_names.length > NAMES_MAX) skipped.push(`${skipped_names.length - NAMES_MAX} more`)
  return [
    message,
    ...(older_than_current > 0 ? [`  Lines that already have a newer total, which stays: ${older_than_current}.`] : []),
    ...lines_left_out.map(({ name, reason }) => `  ${name} was left out: ${reason}`),
    ...(lines_left_out.some(({ is_lower }) => is_lower)
      ? ["  If lower totals are right, send the file again with --allow-lower."]
      : []),
    ...rejected_rows.map(({ row, message }) => `  Row ${row}: ${message}`),
    ...(skipped.length > 0 ? [`  Skipped, because they aren't yours: ${skipped.join(", ")}.`] : []),
    ...(dry_run ? ["Nothing was stored: this was a dry run."] : []),
  ].join("\n")
}
