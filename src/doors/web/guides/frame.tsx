import type { ComponentChildren } from "preact"
import { APP_SCRIPT, FONT, STYLE } from "../assets.ts"
import type { Theme } from "../frame/theme.ts"
import { SearchInput } from "../parts/form/filters.tsx"
import { FAVICON, Icon, Mark } from "../parts/icon.tsx"
import { GUIDE_GROUPS, REFERENCE, REFERENCE_GROUP } from "./files.ts"
import { guideAddress, titleOf } from "./library.ts"

export interface FrameProps {
  readonly title: string
  readonly theme: Theme
  /** The address of the page, if the navigation has it. */
  readonly active?: string
  readonly query?: string
  readonly children: ComponentChildren
}

/** The frame of the guides. It knows nobody: the same page for everyone, also when the database is away. */
export function GuideFrame({ title, theme, active, query = "", children }: FrameProps) {
  return (
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
      </head>
      <body class="guides">
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="guides-head no-print">
          <a class="brand" href="/docs">
            <Mark />
            Adbooth
          </a>
          <search>
            <form method="get" action="/docs/search">
              <SearchInput name="q" what="the guides" value={query} />
              <button class="button" type="submit">
                Search
              </button>
            </form>
          </search>
          <a class="to-app" href="/app">
            <Icon name="door" />
            App
          </a>
        </header>
        <Navigation active={active} />
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </body>
    </html>
  )
}

function Navigation({ active }: { readonly active: string | undefined }) {
  const entry = (href: string, label: string) => (
    <li key={href}>
      <a href={href} aria-current={href === active ? "page" : undefined}>
        {label}
      </a>
    </li>
  )
  return (
    <nav class="guides-nav no-print" aria-label="Guides">
      {GUIDE_GROUPS.map(({ title, guides }) => (
        <div key={title}>
          <p>{title}</p>
          <ul>
            {guides.map((guide) => entry(guideAddress(guide), titleOf(guide)))}
            {title === REFERENCE_GROUP && entry(REFERENCE.href, REFERENCE.title)}
          </ul>
        </div>
      ))}
    </nav>
  )
}
