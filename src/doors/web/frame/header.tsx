import type { SignedIn } from "../../../storage/port/store.ts"
import { Icon, Mark } from "../parts/icon.tsx"
import { type NavigationGroup, navigationOf } from "./navigation.ts"
import { OrganizationButton, OrganizationMenu } from "./organization-menu.tsx"
import type { Place } from "./place.ts"
import type { Theme } from "./theme.ts"
import { UserButton, UserMenu } from "./user-menu.tsx"

interface HeaderProps {
  readonly place: Place
  readonly person: SignedIn
  readonly theme: Theme
  readonly active: string | null
}

/** A bar with a menu on a phone, a column on a desk. The menu is in the page once; the style sheet decides which it is. */
export function Header({ place, person, theme, active }: HeaderProps) {
  return (
    <header class="head">
      <div class="bar">
        <a class="brand" href="/app">
          <Mark />
          Adbooth
        </a>
        <button class="button quiet" type="button" popovertarget="menu">
          <Icon name="menu" />
          Menu
        </button>
      </div>
      <div class="side" id="menu" popover="auto">
        <OrganizationButton place={place} />
        <Navigation groups={navigationOf(place)} active={active} />
        <UserButton person={person} />
      </div>
      <OrganizationMenu place={place} />
      <UserMenu theme={theme} />
    </header>
  )
}

type NavigationProps = Readonly<{ groups: readonly NavigationGroup[]; active: string | null }>

function Navigation({ groups, active }: NavigationProps) {
  return (
    <nav aria-label="Main">
      {groups.map(({ title, entries }) => (
        <div key={title ?? ""}>
          {title !== null && <p>{title}</p>}
          <ul>
            {entries.map(({ href, label, icon, count }) => (
              <li key={href}>
                <a href={href} aria-current={href === active ? "page" : undefined}>
                  <Icon name={icon} />
                  {label}
                  {count != null && count > 0 && (
                    <span class="badge warn word count">
                      {count}
                      <span class="vh"> need attention</span>
                    </span>
                  )}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
