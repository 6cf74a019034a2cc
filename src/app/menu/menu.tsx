import { BODY_BYTES_MAX } from "../../http/body.ts"
import { goTo } from "../flash.ts"
import { readForm } from "../forms/form.ts"
import { FindInput } from "../parts/choices.tsx"
import { formatNumber } from "../parts/format.tsx"
import { Icon, Mark } from "../parts/icon.tsx"
import { cookieOf, setCookie } from "../session/cookies.ts"
import { pageBefore } from "../session/kept-form.ts"
import type { Visit } from "../visit.ts"
import { type MenuEntry, type MenuState, openEntry, SWITCHED_TO_MAX } from "./entries.ts"

interface MenuProps {
  readonly menu: MenuState
  readonly theme: Theme
  readonly url: URL
}

/** A column on a desk, and a bar with a button on a phone. The style sheet decides which one it is. */
export function Menu({ menu, theme, url }: MenuProps) {
  const { user, organization, organizations, groups } = menu
  const open = openEntry(menu, url)
  const canSwitch = organizations.length > 1
  return (
    <header class="head">
      <div class="bar">
        <a class="brand" href="/app">
          <Mark />
          {organization === null ? (
            "Adbooth"
          ) : (
            <span>
              <span class="clamp" title={organization.name}>
                {organization.name}
              </span>
              <small>Adbooth</small>
            </span>
          )}
        </a>
        <button class="button quiet" type="button" popovertarget="menu">
          <Icon name="menu" />
          Menu
        </button>
      </div>
      <div class="side" id="menu" popover="auto">
        {canSwitch && <OrganizationButton {...menu} />}
        {organization !== null && (
          <search>
            <form class="input" action={`/app/o/${organization.slug}/search`}>
              <Icon name="search" />
              <input type="search" name="q" aria-label="Search everything" placeholder="Search" data-search-all />
              <kbd class="scripted">Ctrl K</kbd>
            </form>
          </search>
        )}
        <nav aria-label="Main">
          {groups.map(({ title, entries }) => (
            <div>
              {title !== undefined && <p>{title}</p>}
              <Entries entries={entries} open={open} />
            </div>
          ))}
        </nav>
        <button class="who" type="button" popovertarget="user-menu">
          <Face name={user.name} look="off round" />
          <span class="clamp">{user.name}</span>
          <span class="vh">Account and theme</span>
          <Icon name="switch" />
        </button>
      </div>
      {canSwitch && <OrganizationMenu {...menu} />}
      <div class="pop" id="user-menu" popover="auto">
        <ThemeSwitch theme={theme} />
        <hr />
        <a href="/app/account">
          <Icon name="people" />
          Your account
        </a>
        <a href="/docs">
          <Icon name="book" />
          Guides
        </a>
        <hr />
        <form method="post" action="/app/sign-out">
          <button class="item" type="submit">
            <Icon name="door" />
            Sign out
          </button>
        </form>
      </div>
    </header>
  )
}

interface EntriesProps {
  readonly entries: readonly MenuEntry[]
  /** The address of the entry that the page belongs to. */
  readonly open: string
}

const Entries = ({ entries, open }: EntriesProps) => (
  <ul>
    {entries.map(({ href, label, icon, count = 0, below = [], isFolded = false }) => {
      const isBelowOpen = below.some((each) => each.href === open)
      const isUnfolded = !isFolded || isBelowOpen || href === open
      return (
        <li>
          <a class="entry" href={href} aria-current={href === open && !isBelowOpen ? "page" : undefined}>
            {icon !== undefined && <Icon name={icon} />}
            {label}
            {count > 0 && (
              <span class="badge warn word push">
                {formatNumber(count)}
                <span class="vh"> to do</span>
              </span>
            )}
          </a>
          {below.length > 0 && isUnfolded && <Entries entries={below} open={open} />}
        </li>
      )
    })}
  </ul>
)

function OrganizationButton({ organization, role, user }: MenuState) {
  if (organization === null) return null
  const rights = role === "admin" ? "Admin" : "Member"
  return (
    <button class="who org" type="button" popovertarget="organizations">
      <Face name={organization.name} />
      <span class="clamp">
        {organization.name}
        <small>{user.isOperator ? "Operator" : rights}</small>
      </span>
      <span class="vh">Switch organization</span>
      <Icon name="switch" />
    </button>
  )
}

const OrganizationMenu = ({ organization, organizations, user }: MenuState) => (
  <div class="pop under" id="organizations" popover="auto">
    {organizations.length > 10 && <FindInput what="an organization" list="organization-list" />}
    <ul id="organization-list">
      {organizations.map(({ id, slug, name }) => (
        <li>
          <a href={`/app/o/${slug}`} aria-current={id === organization?.id ? "true" : undefined}>
            <Face name={name} />
            <span>{name}</span>
            {id === organization?.id && <Icon name="check" />}
          </a>
        </li>
      ))}
    </ul>
    {user.isOperator && organizations.length >= SWITCHED_TO_MAX && <a href="/app/operator/organizations">Show all</a>}
  </div>
)

const THEMES = { system: "System", light: "Light", dark: "Dark" } as const
type Theme = keyof typeof THEMES

const THEME_COOKIE = "adbooth_theme"
const YEAR_SECONDS = 365 * 86_400

const isTheme = (text: string): text is Theme => Object.hasOwn(THEMES, text)

export function themeOf(visit: Visit): Theme {
  const chosen = cookieOf(visit, THEME_COOKIE)
  return isTheme(chosen) ? chosen : "system"
}

/** Remembers the theme in this browser, and goes back to the page. */
export async function chooseTheme(visit: Visit): Promise<Response> {
  const { texts } = await readForm(visit.request, BODY_BYTES_MAX)
  const theme = texts["theme"] ?? ""
  const response = goTo(visit, pageBefore(visit, "/app"))
  if (isTheme(theme)) setCookie(visit, response, THEME_COOKIE, theme, YEAR_SECONDS)
  return response
}

/** A script applies and remembers the choice at once. Without scripts, a button does. */
const ThemeSwitch = ({ theme }: { readonly theme: Theme }) => (
  <form class="field" method="post" action="/app/theme" data-theme-form>
    <fieldset>
      <legend class="vh">Theme</legend>
      <div class="seg">
        {Object.entries(THEMES).map(([choice, label]) => (
          <label>
            <input class="vh" type="radio" name="theme" value={choice} checked={choice === theme} />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
    <button class="button quiet small unscripted" type="submit">
      Keep this theme
    </button>
  </form>
)

const Face = ({ name, look = "live" }: { readonly name: string; readonly look?: string }) => (
  <span class={`tile ${look}`} aria-hidden="true">
    {initialsOf(name)}
  </span>
)

/** Two letters: Lighthouse Audio is LA, Fernweh is FE. */
function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "" && word.toLowerCase() !== "the")
  const [first = "", second] = words
  const letters = second === undefined ? [...first].slice(0, 2) : [[...first][0], [...second][0]]
  return letters.join("").toUpperCase()
}
