import MiniSearch, { type SearchResult } from "minisearch"
import { once } from "../../../domain/memoize.ts"
import { nextTurn } from "../../../next-turn.ts"
import { REFERENCE } from "./files.ts"
import { findGuide, guideAddress, SLUGS, textOfHtml } from "./library.ts"

// Anybody may search: what one search costs is bounded by these.
export const QUERY_CHARACTERS_MAX = 100
const WORDS_MAX = 8
const MISSPELT_WORDS_MAX = 3
const RESULTS_MAX = 20

// Long lists of everything: what they say is mostly explained elsewhere.
const BEHIND = ["reliability", "changelog"]

type Section = Readonly<{ id: number; guide: string; title: string; href: string; text: string }>

/** The sections of the guides that fit the words, best first; `needsAll`: only those that have all of them. */
export async function searchGuides(query: string, { needsAll = false } = {}): Promise<Section[]> {
  const words = query.slice(0, QUERY_CHARACTERS_MAX).split(/\s+/).filter(Boolean).slice(0, WORDS_MAX)
  if (words.length === 0) return []
  const { sections, search } = await searchIndex()
  return bestFirst(search, words, needsAll)
    .slice(0, RESULTS_MAX)
    .flatMap(({ id }) => sections[id as number] ?? [])
}

/** With all words; else with some, the longest of which may be misspelt, which takes longer. */
function bestFirst(search: MiniSearch<Section>, words: readonly string[], needsAll: boolean): SearchResult[] {
  const all = search.search(words.join(" "), { combineWith: "AND" })
  if (all.length > 0 || needsAll) return all
  const longestFirst = words.toSorted((a, b) => b.length - a.length).join(" ")
  return search.search(longestFirst, { fuzzy: (_, i) => i < MISSPELT_WORDS_MAX && 0.3, maxFuzzy: 2 })
}

/** Built in small steps: nobody else should wait for the first search. */
const searchIndex = once(async () => {
  const sections: Section[] = []
  const search = new MiniSearch<Section>({
    fields: ["title", "guide", "text"],
    searchOptions: {
      boost: { title: 4, guide: 1.5 },
      boostDocument: (id) => (BEHIND.some((slug) => sections[id]?.href.startsWith(`/docs/${slug}`)) ? 0.4 : 1),
      prefix: (term) => term.length > 2,
    },
  })
  const add = (part: Omit<Section, "id">) => {
    const section = { ...part, id: sections.length }
    sections.push(section)
    search.add(section)
  }
  add({ guide: REFERENCE.title, title: REFERENCE.title, href: REFERENCE.href, text: REFERENCE.about })
  for (const slug of SLUGS) {
    for (const section of sectionsOf(slug)) {
      add(section)
      await nextTurn()
    }
  }
  return { sections, search }
})

const HEADING = /<h[23] id="([^"]*)">(.*?) <a class="anchor".*?<\/h[23]>/s

/** A guide, cut at its headings. The part before the first one belongs to the guide itself. */
function sectionsOf(slug: string): Omit<Section, "id">[] {
  const guide = findGuide(slug)
  if (guide === null) return []
  return guide.html.split(/(?=<h[23] id=")/).map((html) => {
    const [heading = "", anchor, title] = HEADING.exec(html) ?? []
    const address = guideAddress(guide)
    return {
      guide: guide.title,
      title: title === undefined ? guide.title : textOfHtml(title),
      href: anchor === undefined ? address : `${address}#${anchor}`,
      text: textOfHtml(html.slice(heading.length).replace(/^<h1>.*?<\/h1>/s, "")),
    }
  })
}
