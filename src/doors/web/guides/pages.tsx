import type { ComponentChildren } from "preact"
import type { Theme } from "../cookies.ts"
import { Document } from "../frame/layout.tsx"
import { Icon, Mark } from "../parts/icon.tsx"
import { GUIDE_GROUPS, REFERENCE, REFERENCE_GROUP } from "./files.ts"
import { type Guide, guideAddress, titleOf } from "./library.ts"

/** The way in: the API reference and every guide, with what it is about. */
export const IndexPage = ({ theme }: { readonly theme: Theme }) => (
  <GuideFrame title="Guides and API reference" theme={theme} active="/docs">
    <div class="stack">
      <h1>Guides and API reference</h1>
      <p class="sub">
        For programs: <a href="/openapi.json">/openapi.json</a> describes the ingest API.
      </p>
    </div>
    {ALL_GUIDES.map(({ title, entries }) => (
      <section class="stack tight">
        <h2>{title}</h2>
        <ul class="guide-cards">
          {entries.map(({ href, label, about }) => (
            <li class="card">
              <a class="name" href={href}>
                {label}
              </a>
              <p class="soft small">{about}</p>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </GuideFrame>
)

export function GuidePage({ guide, theme }: { readonly guide: Guide; readonly theme: Theme }) {
  const listed = guide.headings.filter(({ level }) => level <= "3")
  return (
    <GuideFrame title={guide.title} theme={theme} active={guideAddress(guide)}>
      {listed.length > 1 && (
        <details class="contents no-print">
          <summary>On this page</summary>
          <ul>
            {listed.map(({ id, level, text }) => (
              <li class={level > "2" ? "below" : undefined}>
                <a href={`#${id}`}>{text}</a>
              </li>
            ))}
          </ul>
        </details>
      )}
      <article class="prose" dangerouslySetInnerHTML={{ __html: guide.html }} />
    </GuideFrame>
  )
}

interface FrameProps {
  readonly title: string
  readonly theme: Theme
  /** The address of the page, if the navigation has it. */
  readonly active?: string
  /** What the navigation lists instead of the guides. */
  readonly groups?: readonly LinkGroup[]
  readonly children: ComponentChildren
}

type LinkGroup = Readonly<{ title: string; entries: readonly Readonly<{ href: string; label: string }>[] }>

export const ALL_GUIDES = GUIDE_GROUPS.map(({ title, guides }) => {
  const entries = guides.map((guide) => ({ href: guideAddress(guide), label: titleOf(guide), about: guide.about }))
  const { href, title: label, about } = REFERENCE
  return { title, entries: title === REFERENCE_GROUP ? [{ href, label, about }, ...entries] : entries }
})

/** The frame of the guides. It knows nobody: the same page for everyone, also when the database is away. */
export const GuideFrame = ({ title, theme, active, groups = ALL_GUIDES, children }: FrameProps) => (
  <Document title={title} theme={theme} look="guides">
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
    <nav class="guides-nav no-print" aria-label={groups === ALL_GUIDES ? "Guides" : "On this page"}>
      {groups.map((group) => (
        <div>
          <p>{group.title}</p>
          <ul>
            {group.entries.map(({ href, label }) => (
              <li>
                <a href={href} aria-current={href === active ? "page" : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
    <main id="main" tabIndex={-1}>
      {children}
    </main>
  </Document>
)
