import { posix } from "node:path"
import { escapeHtml, textOfHtml } from "./escape-html.ts"
import { markAddresses } from "./example-addresses.ts"
import type { GuideFile } from "./files.ts"

export interface Heading {
  readonly level: number
  readonly id: string
  readonly text: string
}

/** A guide, ready to be shown. */
export interface Guide extends GuideFile {
  readonly title: string
  readonly html: string
  /** Below the title. */
  readonly headings: readonly Heading[]
}

type Callbacks = Bun.markdown.RenderCallbacks

/** Renders a guide with the runtime's own Markdown parser. `addressOf` gives the address of a file that is served as a guide. */
export function renderGuide(file: GuideFile, addressOf: (path: string) => string | null): Guide {
  const headings: Heading[] = []
  const callbacks: Callbacks = {
    ...PLAIN,
    ...codeCallbacks(file.isAboutThisInstallation ? markAddresses : (code) => code),
    ...paragraphAnchors(),
    heading(html, { level, id = "" }) {
      headings.push({ level, id, text: textOfHtml(html) })
      if (level === 1) return `<h1>${html}</h1>`
      const label = escapeHtml(`Link to "${textOfHtml(html)}"`)
      return `<h${level} id="${id}">${html} <a class="anchor" href="#${id}" aria-label="${label}">#</a></h${level}>`
    },
    link: (html, { href }) => link(html, resolved(href, file.path, addressOf)),
    // There are none in the guides; if there ever is one, its description takes its place.
    image: (html) => html,
  }
  const html = Bun.markdown.render(file.text, callbacks, {
    headings: { ids: true },
    noHtmlBlocks: true,
    noHtmlSpans: true,
  })
  const [title, ...below] = headings
  return { ...file, title: title?.text ?? file.slug, html, headings: below }
}

const wrapped = (tag: string) => (html: string) => `<${tag}>${html}</${tag}>`

const PLAIN: Callbacks = {
  text: escapeHtml,
  blockquote: wrapped("blockquote"),
  strong: wrapped("strong"),
  emphasis: wrapped("em"),
  strikethrough: wrapped("del"),
  hr: () => "<hr>",
  list: (html, { ordered, start = 1 }) =>
    ordered ? `<ol${start === 1 ? "" : ` start="${start}"`}>${html}</ol>` : `<ul>${html}</ul>`,
  listItem: wrapped("li"),
  // A table that is wider than a phone scrolls by itself, by keyboard too.
  table: (html) => `<div class="table" tabindex="0" role="group" aria-label="Table"><table>${html}</table></div>`,
  thead: wrapped("thead"),
  tbody: wrapped("tbody"),
  tr: wrapped("tr"),
  th: (html, meta) => `<th scope="col"${alignment(meta)}>${html}</th>`,
  td: (html, meta) => `<td${alignment(meta)}>${html}</td>`,
}

const alignment = (meta: Bun.markdown.CellMeta | undefined) => (meta?.align === "right" ? ' class="num"' : "")

function codeCallbacks(mark: (code: string) => string): Callbacks {
  let blocks = 0
  return {
    codespan: (html) => `<code>${marked(html, mark)}</code>`,
    code(html, meta) {
      const id = `code-${++blocks}`
      const language = meta?.language === undefined ? "" : ` ${escapeHtml(meta.language)}`
      return (
        `<div class="code snippet"><pre id="${id}" tabindex="0" role="group" aria-label="Code${language} ${blocks}">` +
        `${marked(html, mark)}</pre><button type="button" class="button small scripted no-print" data-copy="${id}" ` +
        `aria-label="Copy code ${blocks}"><span>Copy</span></button></div>`
      )
    },
  }
}

/** Examples have quotes, which are not escaped while addresses are looked for. */
function marked(html: string, mark: (code: string) => string): string {
  return mark(html.replaceAll("&quot;", '"'))
}

/** A paragraph that begins with a bold code explains it, and can be linked to by it. */
function paragraphAnchors(): Callbacks {
  const anchored = new Set<string>()
  return {
    paragraph(html) {
      const [, code] = /^<strong><code>(\w+)<\/code><\/strong>/.exec(html) ?? []
      if (code === undefined || anchored.has(code)) return `<p>${html}</p>`
      anchored.add(code)
      return `<p id="${code}">${html}</p>`
    },
  }
}

function link(html: string, href: string | null): string {
  return href === null ? html : `<a href="${escapeHtml(href)}">${html}</a>`
}

/** Null for what is only in the repository, which the installation does not serve. */
function resolved(href: string, from: string, addressOf: (path: string) => string | null): string | null {
  if (/^(?:https?:|mailto:|#)/.test(href)) return href
  const [path = "", anchor] = href.split("#")
  const address = addressOf(posix.join(posix.dirname(from), path))
  return address === null || anchor === undefined ? address : `${address}#${anchor}`
}
