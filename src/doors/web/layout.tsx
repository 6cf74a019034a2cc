import type { ComponentChildren } from "preact"
import { COPY_SCRIPT, STYLE } from "./assets.ts"
import { type NavigationGroup, navigationOf } from "./navigation.ts"
import { isOrganizationVisit, type Visit } from "./visit.ts"

export interface LayoutProps {
  readonly visit: Visit
  readonly title: string
  readonly active: string | null
  readonly children: ComponentChildren
}

/** The frame of every page: header, navigation, and the message about what just happened. */
export function Layout({ visit, title, active, children }: LayoutProps) {
  const groups = navigationOf(visit)
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{`${title} · Adbooth`}</title>
        <link rel="icon" href={FAVICON} />
        <link rel="stylesheet" href={STYLE.path} />
        <script src={COPY_SCRIPT.path} defer />
      </head>
      <body class={groups.length > 0 ? "with-navigation" : "alone"}>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <Header visit={visit} groups={groups} active={active} />
        {groups.length > 0 && (
          <aside class="sidebar">
            <Navigation visit={visit} groups={groups} active={active} />
          </aside>
        )}
        <main id="main">
          {visit.flash !== null && (
            <p class={`flash ${visit.flash.kind}`} role={visit.flash.kind === "problem" ? "alert" : "status"}>
              {visit.flash.text}
            </p>
          )}
          {children}
        </main>
      </body>
    </html>
  )
}

type Places = Readonly<{ visit: Visit; groups: readonly NavigationGroup[]; active: string | null }>

function Header({ visit, groups, active }: Places) {
  return (
    <header class="top">
      <a class="brand" href="/app">
        <Mark />
        Adbooth
      </a>
      {visit.person !== null && (
        <div class="who">
          <a href="/app/account">{visit.person.name}</a>
          <form method="post" action="/app/sign-out">
            <button class="quiet" type="submit">
              Sign out
            </button>
          </form>
        </div>
      )}
      {groups.length > 0 && (
        <details class="menu">
          <summary>Menu</summary>
          <Navigation visit={visit} groups={groups} active={active} />
        </details>
      )}
    </header>
  )
}

function Navigation({ visit, groups, active }: Places) {
  return (
    <nav aria-label="Main">
      {groups.map(({ title, entries }) => (
        <div class="group" key={title}>
          <p class="group-title">{title}</p>
          <ul>
            {entries.map(({ href, label }) => (
              <li key={href}>
                <a href={href} aria-current={href === active ? "page" : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <OtherOrganizations visit={visit} />
    </nav>
  )
}

function OtherOrganizations({ visit }: { readonly visit: Visit }) {
  const here = isOrganizationVisit(visit) ? visit.organization.slug : visit.person?.organizations[0]?.slug
  const others = visit.person?.organizations.filter(({ slug }) => slug !== here) ?? []
  if (others.length === 0) return null
  return (
    <div class="group">
      <p class="group-title">Your other organizations</p>
      <ul>
        {others.map(({ slug, name }) => (
          <li key={slug}>
            <a href={`/app/o/${slug}/campaigns`}>{name}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A booth: an awning over a counter. */
function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M3 4h18l1.5 5.5a3 3 0 0 1-5.2 1.6 3.5 3.5 0 0 1-5.3 0 3.5 3.5 0 0 1-5.3 0A3 3 0 0 1 1.5 9.500z" />
      <path d="M4 13.500h2V20h12v-6.500h2V21a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1z" />
    </svg>
  )
}

const FAVICON =
  "data:image/svg+xml," +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="#0f766e"><path d="M3 4h18l1.500 5.500a3 3 0 0 1-5.200 1.600 3.500 3.500 0 0 1-5.300 0 3.500 3.500 0 0 1-5.300 0A3 3 0 0 1 1.500 9.500z"/><path d="M4 13.500h2V20h12v-6.500h2V21a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1z"/></svg>',
  )
