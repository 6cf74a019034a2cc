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

/** Each group of guides by the last part of their addresses, which are the names of the files. */
const GUIDES = {
  // It lists all guides by task.
  Start: { README: readme },
  Report: { app, report, errors, api },
  Sell: { products, orders, buyers },
  Operate: { install, operate, postgres, settings },
} as const

const START = "README"

const TEXTS: ReadonlyMap<string, string> = new Map(Object.values(GUIDES).flatMap((group) => Object.entries(group)))

const guideAddress = (name: string): string => (name === START ? "/docs" : `/docs/${name}`)

/** The heading in its first line. */
const guideTitle = (text: string): string => text.slice("# ".length, text.indexOf("\n"))

/** A heading that a guide lists at its top. */
interface GuideHeading {
  readonly id: string
  readonly text: string
}

/** Turns the text of a guide into HTML. HTML in the text is shown as it is typed. */
export function renderGuide(text: string) {
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
          `<div class="card flush table" tabindex="0" role="group" aria-label="Table">` +
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
  `<div class="code"><pre id="code-${number}" tabindex="0" role="group" aria-label="Code ${number}">` +
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
  const [, name = ""] = /^(.*)\.md$/.exec(file) ?? []
  if (!TEXTS.has(name)) return null
  return anchor === undefined ? guideAddress(name) : `${guideAddress(name)}#${anchor}`
}

/** The first page of the guides. */
export const guidesPage = (visit: Visit): Response => showGuide(visit, START, readme)

export function guidePage(visit: Visit): Response {
  const name = visit.params["guide"] ?? ""
  const text = TEXTS.get(name)
  if (text === undefined || name === START) throw new NotFound()
  return showGuide(visit, name, text)
}

function showGuide(visit: Visit, name: string, text: string): Response {
  const { html, headings } = renderGuide(text)
  const body = (
    <>
      {headings.length > 1 && contents(headings)}
      {/* Our own text, in which the renderer escapes HTML. */}
      <article class="prose" dangerouslySetInnerHTML={{ __html: html }} />
    </>
  )
  return page(visit, { title: guideTitle(text), navigation: guideList(name), body })
}

const contents = (headings: readonly GuideHeading[]) => (
  <details class="fold form-card contents no-print">
    <summary>On this page</summary>
    <ul class="stack tight">
      {headings.map(({ id, text }) => (
        <li>
          <a href={`#${id}`}>{text}</a>
        </li>
      ))}
    </ul>
  </details>
)

const guideList = (open: string) => (
  <>
    <header class="guides-head no-print">
      <a class="brand" href="/docs">
        <Mark />
        Adbooth
      </a>
      <a class="button quiet push" href="/app">
        <Icon name="door" />
        App
      </a>
    </header>
    <nav class="guides-nav no-print" aria-label="Guides">
      {Object.entries(GUIDES).map(([title, guides]) => (
        <div>
          <p>{title}</p>
          <ul>
            {Object.entries(guides).map(([name, text]) => (
              <li>
                <a href={guideAddress(name)} aria-current={name === open ? "page" : undefined}>
                  {guideTitle(text)}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  </>
)
