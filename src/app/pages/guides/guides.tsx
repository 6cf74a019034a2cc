import { Marked, type Tokens } from "marked"
import api from "../../../../docs/api.md" with { type: "text" }
import app from "../../../../docs/app.md" with { type: "text" }
import buyers from "../../../../docs/buyers.md" with { type: "text" }
import errors from "../../../../docs/errors.md" with { type: "text" }
import install from "../../../../docs/install.md" with { type: "text" }
import operate from "../../../../docs/operate.md" with { type: "text" }
import orders from "../../../../docs/orders.md" with { type: "text" }
import postgres from "../../../../docs/postgres.md" with { type: "text" }
import products from "../../../../docs/products.md" with { type: "text" }
import readme from "../../../../docs/README.md" with { type: "text" }
import report from "../../../../docs/report.md" with { type: "text" }
import settings from "../../../../docs/settings.md" with { type: "text" }
import { page } from "../../page.tsx"
import { Icon, Mark } from "../../parts/icon.tsx"
import { NotFound, type Visit } from "../../visit.ts"

// Every guide of docs/ is embedded here, so that the executable has the guides of its own version.

interface GuideFile {
  /** The last part of its address, and the name of its file without ".md". */
  readonly name: string
  readonly text: string
}

interface GuideGroup {
  readonly title: string
  readonly guides: readonly GuideFile[]
}

/** The first page, which lists all guides by task. */
const START: GuideFile = { name: "README", text: readme }

const GUIDE_GROUPS: readonly GuideGroup[] = [
  {
    title: "Report",
    guides: [
      { name: "app", text: app },
      { name: "report", text: report },
      { name: "errors", text: errors },
      { name: "api", text: api },
    ],
  },
  {
    title: "Sell",
    guides: [
      { name: "products", text: products },
      { name: "orders", text: orders },
      { name: "buyers", text: buyers },
    ],
  },
  {
    title: "Operate",
    guides: [
      { name: "install", text: install },
      { name: "operate", text: operate },
      { name: "postgres", text: postgres },
      { name: "settings", text: settings },
    ],
  },
]

const FILES: readonly GuideFile[] = [START, ...GUIDE_GROUPS.flatMap(({ guides }) => guides)]

/** The guide of this name. Null if there is none. */
const guideNamed = (name: string): GuideFile | null => FILES.find((file) => file.name === name) ?? null

const guideAddress = ({ name }: GuideFile): string => (name === START.name ? "/docs" : `/docs/${name}`)

/** The heading in its first line. */
const guideTitle = ({ text }: GuideFile): string => text.slice("# ".length, text.indexOf("\n"))

/** A heading that a guide lists at its top. */
interface GuideHeading {
  readonly id: string
  readonly text: string
}

interface RenderedGuide {
  readonly html: string
  readonly headings: readonly GuideHeading[]
}

/** Turns the text of a guide into HTML. HTML in the text is shown as it is typed. */
export function renderGuide(text: string): RenderedGuide {
  const headings: GuideHeading[] = []
  let snippets = 0
  const marked = new Marked({
    renderer: {
      html: (token) => Bun.escapeHTML(token.text),
      // The guides are read in the app that the pictures show.
      image: () => "",
      heading({ depth, tokens, text: words }) {
        const inside = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1>${inside}</h1>\n`
        const heading = { id: idOf(words), text: words.replaceAll("`", "") }
        if (depth === 2) headings.push(heading)
        const label = Bun.escapeHTML(`Link to “${heading.text}”`)
        const anchor = `<a class="anchor" href="#${heading.id}" aria-label="${label}">#</a>`
        return `<h${depth} id="${heading.id}">${inside} ${anchor}</h${depth}>\n`
      },
      code: ({ text: code }) => snippet(++snippets, code),
      link({ href, tokens }) {
        const address = addressOf(href)
        const inside = this.parser.parseInline(tokens)
        return address === null ? inside : `<a href="${Bun.escapeHTML(address)}">${inside}</a>`
      },
      table(table) {
        const [head, ...rows] = [table.header, ...table.rows].map((cells) => rowOf(cells, this.parser))
        // A table that is wider than a phone scrolls by itself, with the keyboard as well.
        return (
          `<div class="table" tabindex="0" role="group" aria-label="Table">` +
          `<table><thead>${head}</thead><tbody>${rows.join("")}</tbody></table></div>\n`
        )
      },
    },
  })
  return { html: marked.parse(text, { async: false }), headings }
}

interface InlineParser {
  parseInline(tokens: Tokens.TableCell["tokens"]): string
}

function rowOf(cells: readonly Tokens.TableCell[], parser: InlineParser): string {
  const inside = cells.map(({ header, tokens }) => {
    const text = parser.parseInline(tokens)
    return header ? `<th scope="col">${text}</th>` : `<td>${text}</td>`
  })
  return `<tr>${inside.join("")}</tr>`
}

const snippet = (number: number, code: string): string =>
  `<div class="code snippet"><pre id="code-${number}" tabindex="0" role="group" aria-label="Code ${number}">` +
  `${Bun.escapeHTML(code)}</pre><button type="button" class="button small scripted no-print" ` +
  `data-copy="code-${number}" aria-label="Copy code ${number}"><span>Copy</span></button></div>\n`

/** The same ID as on other sites that show Markdown, so that links between the guides work there as well. */
const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-")

/** Where a link leads. Null for files that only the source has. */
function addressOf(href: string): string | null {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href
  const [file = "", anchor] = href.split("#")
  const guide = file.endsWith(".md") ? guideNamed(file.slice(0, -".md".length)) : null
  if (guide === null) return null
  return anchor === undefined ? guideAddress(guide) : `${guideAddress(guide)}#${anchor}`
}

/** The first page of the guides. */
export const guidesPage = (visit: Visit): Response => showGuide(visit, START)

export function guidePage(visit: Visit): Response {
  const guide = guideNamed(visit.params["guide"] ?? "")
  if (guide === null || guide === START) throw new NotFound()
  return showGuide(visit, guide)
}

function showGuide(visit: Visit, guide: GuideFile): Response {
  const { html, headings } = renderGuide(guide.text)
  const body = (
    <>
      {headings.length > 1 && <Contents headings={headings} />}
      {/* Our own text, in which the renderer escapes HTML. */}
      <article class="prose" dangerouslySetInnerHTML={{ __html: html }} />
    </>
  )
  return page(visit, { title: guideTitle(guide), navigation: <GuideList open={guide} />, body })
}

const Contents = ({ headings }: { readonly headings: readonly GuideHeading[] }) => (
  <details class="contents no-print">
    <summary>On this page</summary>
    <ul>
      {headings.map(({ id, text }) => (
        <li>
          <a href={`#${id}`}>{text}</a>
        </li>
      ))}
    </ul>
  </details>
)

const GuideList = ({ open }: { readonly open: GuideFile }) => (
  <>
    <header class="guides-head no-print">
      <a class="brand" href="/docs">
        <Mark />
        Adbooth
      </a>
      <a class="to-app" href="/app">
        <Icon name="door" />
        App
      </a>
    </header>
    <nav class="guides-nav no-print" aria-label="Guides">
      {[{ title: "Start", guides: [START] }, ...GUIDE_GROUPS].map(({ title, guides }) => (
        <div>
          <p>{title}</p>
          <ul>
            {guides.map((guide) => (
              <li>
                <a href={guideAddress(guide)} aria-current={guide === open ? "page" : undefined}>
                  {guideTitle(guide)}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  </>
)
