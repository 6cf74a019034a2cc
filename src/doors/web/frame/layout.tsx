import type { ComponentChildren } from "preact"
import type { SignedIn } from "../../../storage/port/store.ts"
import { APP_SCRIPT, FONT, STYLE } from "../assets.ts"
import { type Theme, themeOf } from "../cookies.ts"
import { Banner, Submit } from "../parts/blocks.tsx"
import { formatNumber } from "../parts/format.tsx"
import { FAVICON, Icon, Mark } from "../parts/icon.tsx"
import type { Visit } from "../visit.ts"
import { canSwitch, OrganizationButton, OrganizationMenu, UserButton, UserMenu } from "./menus.tsx"
import { actionsOf, type NavigationEntry, type NavigationGroup, navigationOf } from "./navigation.ts"
import type { VisitorPlace } from "./place.ts"

/** "sheet" is a document to read and print, "alone" a small card in the middle. Neither has a navigation. */
export type PageShape = "app" | "alone" | "sheet"

interface LayoutProps {
  readonly visit: Visit
  readonly title: string
  readonly active: string
  readonly shape: PageShape | undefined
  readonly isBusy: boolean
  readonly children: ComponentChildren
}

// For browsers without scripts: with them, the page looks for news without being loaded again.
const RELOAD_SECONDS = "3"

type DocumentProps = Readonly<{
  title: string
  theme: Theme
  look: string
  isBusy?: boolean
  children: ComponentChildren
}>

/** A whole document, with nothing on it yet but a way past the navigation. */
export const Document = ({ title, theme, look, isBusy = false, children }: DocumentProps) => (
  <html lang="en" data-theme={theme === "system" ? undefined : theme}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      <title>{`${title} · Adbooth`}</title>
      <link rel="icon" href={FAVICON} />
      <link rel="preload" href={FONT.path} as="font" type="font/woff2" crossOrigin="anonymous" />
      <link rel="stylesheet" href={STYLE.path} />
      <script src={APP_SCRIPT.path} defer />
      {isBusy && (
        <noscript>
          <meta http-equiv="refresh" content={RELOAD_SECONDS} />
        </noscript>
      )}
    </head>
    <body class={look} data-busy={isBusy ? "" : undefined}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      {children}
    </body>
  </html>
)

/** The frame of every page: header, navigation, and the message about what just happened. */
export function Layout({ visit, title, active, shape, isBusy, children }: LayoutProps) {
  const { place, person } = visit
  const theme = themeOf(visit.request)
  const look = shape ?? (place === null ? "alone" : "app")
  return (
    <Document title={title} theme={theme} look={look} isBusy={isBusy}>
      {look === "app" && place !== null && person !== null && header(place, person, theme, active)}
      <main id="main" tabIndex={-1}>
        {visit.flash !== null && <Flash flash={visit.flash} />}
        {children}
      </main>
    </Document>
  )
}

const Flash = ({ flash: { kind, text, next } }: { readonly flash: NonNullable<Visit["flash"]> }) => (
  <Banner tone={kind === "done" ? "good" : "bad"} live isScreenOnly>
    <p>
      {text} {next !== undefined && <a href={next.href}>{next.label}</a>}
    </p>
  </Banner>
)

/** A bar with a menu on a phone, a column on a desk. The menu is in the page once; the style sheet decides which it is. */
const header = (place: VisitorPlace, person: SignedIn, theme: Theme, active: string) => (
  <header class="head">
    <div class="bar">
      <Brand place={place} />
      <button class="button quiet" type="button" popovertarget="menu">
        <Icon name="menu" />
        Menu
      </button>
    </div>
    <div class="side" id="menu" popover="auto">
      <OrganizationButton place={place} />
      {place.organization !== null && <SearchField slug={place.organization.slug} />}
      <Navigation groups={navigationOf(place)} active={active} />
      <UserButton person={person} />
    </div>
    <OrganizationMenu place={place} />
    <UserMenu theme={theme} />
    <Shortcuts place={place} />
  </header>
)

/** Whose booth it is. Where there are several to choose from, the switcher below says which. */
function Brand({ place }: { readonly place: VisitorPlace }) {
  const { organization } = place
  return (
    <a class="brand" href="/app">
      <Mark />
      {organization === null || canSwitch(place) ? (
        "Adbooth"
      ) : (
        <span>
          <b title={organization.name}>{organization.name}</b>
          <small>Adbooth</small>
        </span>
      )}
    </a>
  )
}

/** Finds everything by name. Ctrl-K comes here from everywhere; without scripts it is a field like others. */
const SearchField = ({ slug }: { readonly slug: string }) => (
  <search>
    <form class="input" action={`/app/o/${slug}/search`}>
      <Icon name="search" />
      <input type="search" name="q" aria-label="Search everything" placeholder="Search" data-search-all="" />
      <kbd class="scripted">Ctrl K</kbd>
    </form>
    <div class="palette" id="found" popover="manual" />
  </search>
)

/** What "?" shows. */
const Shortcuts = ({ place }: { readonly place: VisitorPlace }) => (
  <dialog id="shortcuts" aria-labelledby="shortcuts-title" closedby="any">
    <form method="dialog">
      <h2 id="shortcuts-title">Keyboard shortcuts</h2>
      <dl class="shortcuts">
        {[...pageKeys(place), ...OTHER_KEYS].map(([keys, label]) => (
          <div>
            <dt>{label}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
      <Submit label="Close" />
    </form>
  </dialog>
)

const pageKeys = (place: VisitorPlace) =>
  actionsOf(place).flatMap(({ href, label, keys }) => {
    const link = (
      <a href={href} data-keys={keys}>
        {label}
      </a>
    )
    return keys === undefined ? [] : [[keys, link] as const]
  })

const OTHER_KEYS = [
  ["Ctrl K", "Search everything"],
  ["/", "Search this page"],
  ["?", "Show this list"],
] as const

const Keys = ({ keys }: { readonly keys: string }) => keys.split(" ").map((key) => <kbd>{key}</kbd>)

const Navigation = ({ groups, active }: Readonly<{ groups: readonly NavigationGroup[]; active: string }>) => (
  <nav aria-label="Main">
    {groups.map(({ title, entries }) => (
      <div>
        {title !== null && <p>{title}</p>}
        <Entries entries={entries} active={active} />
      </div>
    ))}
  </nav>
)

const Entries = ({ entries, active }: Readonly<{ entries: readonly NavigationEntry[]; active: string }>) => (
  <ul>
    {entries.map(({ href, label, icon, count = 0, covers = [], below = [] }) => (
      <li>
        <a class="entry" href={href} aria-current={href === active || covers.includes(active) ? "page" : undefined}>
          {icon !== undefined && <Icon name={icon} />}
          {label}
          {count > 0 && (
            <span class="badge warn word count">
              {formatNumber(count)}
              <span class="vh"> need attention</span>
            </span>
          )}
        </a>
        {below.length > 0 && <Entries entries={below} active={active} />}
      </li>
    ))}
  </ul>
)
