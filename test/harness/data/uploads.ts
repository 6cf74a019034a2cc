import type { LineTexts } from "../../../src/domain/campaign/line.ts"
import { linesSoldBy } from "../../../src/storage/campaigns/lines.ts"
import { historyOf, NEWEST } from "../../../src/storage/delivery/history.ts"
import { startApp, type TestApp } from "../app.ts"
import { type Browse, type BrowsedPage, signIn } from "../browser/browse.ts"
import type { Engine } from "../store.ts"
import { givenLine, givenSeller, type Seller } from "./given.ts"
import { givenKey } from "./ingest.ts"

/** A seller in Berlin, and the address of its pages. */
export interface UploadSeller extends Seller {
  readonly home: string
}

export async function givenUploadSeller(app: TestApp): Promise<UploadSeller> {
  const seller = await givenSeller(app, { timeZone: "Europe/Berlin" })
  const query = "SELECT slug FROM organization WHERE id = $1"
  const [organization] = await app.database.read.rows(query, [seller.id], { slug: String })
  return { ...seller, home: `/app/o/${organization?.slug}` }
}

/** A seller in Berlin whose admin uploads files. It's noon on 15 November 2026. */
export interface UploadSite extends AsyncDisposable {
  readonly app: TestApp
  readonly seller: UploadSeller
  readonly browse: Browse
  /** Adds a line that runs from 1 November 2026. Returns its package ID. */
  line(texts?: Partial<LineTexts>): Promise<string>
  /** Chooses a file and presses Upload. */
  upload(content: string | Uint8Array, name?: string): Promise<BrowsedPage>
  /** A key with which a program of the seller sends files. */
  key(): Promise<string>
  /** What each line has delivered so far, by name. */
  totals(): Promise<Record<string, number | null>>
  /** The totals of a line's reports that count, oldest first. */
  history(name: string): Promise<number[]>
}

export async function startUploads(engine: Engine = "SQLite"): Promise<UploadSite> {
  const app = await startApp({ engine })
  const seller = await givenUploadSeller(app)
  const browse = await signIn(app, { organization: seller })
  const { read } = app.database
  const linesOf = () => linesSoldBy(read, seller.id, { withArchived: true })
  return {
    app,
    seller,
    browse,
    line: (texts = {}) => givenLine(app, seller, { flightStart: "2026-11-01", ...texts }),
    async upload(content, name = "export.csv") {
      const page = await browse(`${seller.home}/upload`)
      return page.send({ file: new File([content as BlobPart], name) })
    },
    key: () => givenKey(app, seller),
    async totals() {
      return Object.fromEntries((await linesOf()).map(({ name, total }) => [name, total?.quantity ?? null]))
    },
    async history(name) {
      const line = (await linesOf()).find((each) => each.name === name)
      if (line === undefined) throw new Error(`The line ${name} doesn't exist.`)
      const before = NEWEST
      const entries = await historyOf(read, line, { before, limit: 1_000, isSeller: true })
      return entries
        .filter(({ withdrawnAt }) => withdrawnAt === null)
        .map(({ quantity }) => quantity)
        .reverse()
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

/** Answers by their headings: `{ day: "Date" }`. Other answers are sent as they are. */
export type ReadingAnswers = Readonly<Record<string, string>>

/** Answers the questions of the reading page, and shows the preview. */
export function answer(page: BrowsedPage, answers: ReadingAnswers): Promise<BrowsedPage> {
  const changes = Object.entries(answers).map(([name, text]) => [name, choiceOf(page, name, text)])
  return page.send(Object.fromEntries(changes))
}

/** The value of the option for a column with this heading. Columns that tell parts apart are separated by commas. */
function choiceOf(page: BrowsedPage, name: string, text: string): string {
  // Their boxes appear only after the other answers, but a column has the same value everywhere.
  if (name === "parts")
    return text
      .split(", ")
      .map((heading) => choiceOf(page, "day", heading))
      .join("\n")
  const [select = ""] = new RegExp(`<select id="${name}".*?</select>`, "s").exec(page.html) ?? []
  for (const [, value = "", label = ""] of select.matchAll(/<option value="([^"]*)"[^>]*>(.*?)<\/option>/gs))
    if (label === text || label.startsWith(`${text}: `)) return value
  return text
}

/** Presses the button of the preview, with some boxes ticked. */
export function report(page: BrowsedPage, ticked: readonly string[] = []): Promise<BrowsedPage> {
  const form = page.form(page.path)
  const boxes = ticked.map((name) => [`confirm.${name}`, form.control(`confirm.${name}`)["value"]])
  return form.send(Object.fromEntries(boxes))
}
