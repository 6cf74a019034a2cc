import { posix } from "node:path"
import { GUIDE_GROUPS, type GuideFile } from "./files.ts"

const FILES: readonly GuideFile[] = GUIDE_GROUPS.flatMap(({ guides }) => guides)

export const SLUGS: readonly string[] = FILES.map(({ slug }) => slug)

export const guideAddress = ({ slug }: Pick<GuideFile, "slug">) => `/docs/${slug}`

/** A guide's first line, without rendering the rest. */
export const titleOf = ({ slug, text }: Pick<GuideFile, "slug" | "text">): string => /^# (.+)$/m.exec(text)?.[1] ?? slug

/** The guide, with these addresses in its examples, or as it is written; null when there is none of this name. */
export function findGuide(slug: string, addresses?: Addresses): Guide | null {
  const file = FILES.find((file) => file.slug === slug)
  return file === undefined ? null : renderGuide(file, servedAt, addresses)
}

/** The address of a file of the repository; null when it is not served. */
function servedAt(path: string): string | null {
  const file = FILES.find((file) => file.path === path)
  return file === undefined ? null : guideAddress(file)
}

export type Heading = Readonly<{ level: string; id: string; text: string }>

export type Guide = ReturnType<typeof renderGuide>

const OPTIONS = { headings: { ids: true }, noHtmlBlocks: true, noHtmlSpans: true } as const

export interface Addresses {
  /** Without a slash at the end. */
  readonly origin: string
  /** The sales agent, with a slash at the end. */
  readonly agent: string
}

/** Renders a guide with the runtime's own Markdown parser. `addressOf` gives the address of a file that is served as a guide. */
export function renderGuide(file: GuideFile, addressOf: (path: string) => string | null, addresses?: Addresses) {
  const headings: Heading[] = []
  let blocks = 0
  const anchored = new Set<string>()
  const fill = (code: string) => (addresses && file.isAboutThisInstallation ? filled(code, addresses) : code)
  const html = Bun.markdown
    .html(file.text, OPTIONS)
    .replaceAll(/<pre><code(?: class="language-(.*?)")?>(.*?)<\/code><\/pre>/gs, (_, language: string, code: string) =>
      snippet(++blocks, language, fill(code)),
    )
    .replaceAll(/<code>(.*?)<\/code>/gs, (_, code: string) => `<code>${fill(code)}</code>`)
    .replaceAll(/<a href="(.*?)">(.*?)<\/a>/gs, (_, href: string, text: string) => {
      const address = resolved(href, file.path, addressOf)
      return address === null ? text : `<a href="${address}">${text}</a>`
    })
    .replaceAll(/<h(\d) id="(.*?)">(.*?)<\/h\1>/gs, (_, level: string, id: string, inside: string) => {
      const text = textOfHtml(inside)
      headings.push({ level, id, text })
      if (level === "1") return `<h1>${inside}</h1>`
      const label = Bun.escapeHTML(`Link to "${text}"`)
      return `<h${level} id="${id}">${inside} <a class="anchor" href="#${id}" aria-label="${label}">#</a></h${level}>`
    })
    // A paragraph that begins with a bold code explains it, and can be linked to by it.
    .replaceAll(/<p>(?=<strong><code>(\w+)<\/code><\/strong>)/g, (_, code: string) => {
      const isFirst = !anchored.has(code)
      anchored.add(code)
      return isFirst ? `<p id="${code}">` : "<p>"
    })
    // Pictures are of the app, in which one reads this.
    .replaceAll(/<p><img [^>]*><\/p>|<img [^>]*>/g, "")
    // A table that is wider than a phone scrolls by itself, by keyboard too.
    .replaceAll("<table>", '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
    .replaceAll("</table>", "</table></div>")
    .replaceAll(/<th(?=[ >])/g, '<th scope="col"')
    .replaceAll(' align="right"', ' class="num"')
  const [title, ...below] = headings
  return { ...file, title: title?.text ?? file.slug, html, headings: below }
}

const snippet = (block: number, language = "", code: string) =>
  `<div class="code snippet"><pre id="code-${block}" tabindex="0" role="group" aria-label="${`Code ${language}`.trim()} ${block}">` +
  `${code}</pre><button type="button" class="button small scripted no-print" data-copy="code-${block}" ` +
  `aria-label="Copy code ${block}"><span>Copy</span></button></div>`

/** Null for what is only in the repository, which the installation does not serve. */
function resolved(href: string, from: string, addressOf: (path: string) => string | null): string | null {
  if (/^(?:https?:|mailto:|#)/.test(href)) return href
  const [path = "", anchor] = href.split("#")
  const address = addressOf(posix.join(posix.dirname(from), path))
  return address === null || anchor === undefined ? address : `${address}#${anchor}`
}

/** The text of HTML that was escaped. */
const textOfHtml = (html: string): string =>
  html
    .replaceAll(/<button.*?<\/button>/gs, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")
    .trim()

// The example addresses of the guides: the agent's with a slash at the end; or from the environment, in Python, JavaScript and shells.
const IN_EXAMPLES =
  /(https:\/\/ads\.example\.com\/|http:\/\/127\.0\.0\.1:3000\/)|https:\/\/ads\.example\.com|os\.environ\["ADBOOTH_URL"\] \+ (")|\$\{process[.]env\.ADBOOTH_URL\}|\$ADBOOTH_URL/g

/** Code with these addresses in it. A sentence may name the variable itself, which stays. */
function filled(code: string, { origin, agent }: Addresses): string {
  if (code === "$ADBOOTH_URL") return code
  return code
    .replaceAll("&quot;", '"')
    .replaceAll(IN_EXAMPLES, (_, isAgent?: string, quote = "") => quote + Bun.escapeHTML(isAgent ? agent : origin))
}
