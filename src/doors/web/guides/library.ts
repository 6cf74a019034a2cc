import { posix } from "node:path"
import { GUIDE_GROUPS, type GuideFile } from "./files.ts"

const FILES: readonly GuideFile[] = GUIDE_GROUPS.flatMap(({ guides }) => guides)

export const SLUGS: readonly string[] = FILES.map(({ slug }) => slug)

export const guideAddress = ({ slug }: Pick<GuideFile, "slug">) => `/docs/${slug}`

/** A guide's first line, without rendering the rest. */
export function titleOf({ slug, text }: Pick<GuideFile, "slug" | "text">): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? slug
}

const rendered = new Map<string, Guide>()

/** The guide, rendered when it is first asked for; null when there is none of this name. */
export function findGuide(slug: string): Guide | null {
  const known = rendered.get(slug)
  if (known !== undefined) return known
  const file = FILES.find((one) => one.slug === slug)
  if (file === undefined) return null
  const guide = renderGuide(file, servedAt)
  rendered.set(slug, guide)
  return guide
}

/** A text that belongs to a file of the repository, rendered as the guides are. */
export function renderPart(slug: string, text: string): string {
  const file = FILES.find((one) => one.slug === slug)
  return file === undefined ? "" : renderGuide({ ...file, text }, servedAt).html
}

/** The address of a file of the repository; null when it is not served. */
function servedAt(path: string): string | null {
  const file = FILES.find((one) => one.path === path)
  return file === undefined ? null : guideAddress(file)
}

export type Heading = Readonly<{ level: number; id: string; text: string }>

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

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
}

/** The text of HTML that was made with `escapeHtml`. */
export function textOfHtml(html: string): string {
  return html
    .replaceAll(/<button.*?<\/button>/gs, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")
    .trim()
}

/** Where this installation is reached. */
export interface Addresses {
  /** Without a slash at the end. */
  readonly origin: string
  /** The sales agent, with a slash at the end. */
  readonly agent: string
}

// Characters that no guide contains. They stand for the addresses until a page is asked for.
const ORIGIN = "\uE000"
const AGENT = "\uE001"

// Longer ones first. The buyers' guide writes the address of the agent with a slash at the end.
const IN_EXAMPLES: readonly (readonly [RegExp, string])[] = [
  [/https:\/\/ads\.example\.com\//g, AGENT],
  [/https:\/\/ads\.example\.com/g, ORIGIN],
  [/http:\/\/127\.0\.0\.1:3000\//g, AGENT],
  // From the environment, in Python, JavaScript and shells.
  [/os\.environ\["ADBOOTH_URL"\] \+ "/g, `"${ORIGIN}`],
  [/\$\{process[.]env\.ADBOOTH_URL\}/g, ORIGIN],
  [/\$ADBOOTH_URL/g, ORIGIN],
]

/** Marks the places of addresses in code. A sentence may name the variable itself, which stays. */
function markAddresses(code: string): string {
  if (code === "$ADBOOTH_URL") return code
  return IN_EXAMPLES.reduce((text, [example, mark]) => text.replaceAll(example, mark), code)
}

/** Puts the addresses of this installation into a text. */
export function fillAddresses(text: string, { origin, agent }: Addresses): string {
  return text.replaceAll(ORIGIN, () => origin).replaceAll(AGENT, () => agent)
}

/** For a page rather than a text. */
export function escapedAddresses({ origin, agent }: Addresses): Addresses {
  return { origin: escapeHtml(origin), agent: escapeHtml(agent) }
}
