import { Marked, type Tokens } from "marked"
import { guideAddress, guideNamed } from "./files.ts"

/** A heading that a guide lists at its top. */
export interface GuideHeading {
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
