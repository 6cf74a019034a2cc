import { page } from "../../page.tsx"
import { Icon, Mark } from "../../parts/icon.tsx"
import { NotFound, type Visit } from "../../visit.ts"
import { GUIDE_GROUPS, type GuideFile, guideAddress, guideNamed, guideTitle, START } from "./files.ts"
import { type GuideHeading, renderGuide } from "./render.ts"

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
