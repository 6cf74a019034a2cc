import type { SignedIn } from "../../../storage/port/store.ts"
import { Icon } from "../parts/icon.tsx"
import { initialsOf } from "./initials.ts"
import { THEMES, type Theme } from "./theme.ts"

export function UserButton({ person }: { readonly person: SignedIn }) {
  return (
    <button class="who" type="button" popovertarget="user-menu">
      <span class="face round" aria-hidden="true">
        {initialsOf(person.name)}
      </span>
      <span>{person.name}</span>
      <span class="vh">Account and theme</span>
      <Icon name="switch" />
    </button>
  )
}

export function UserMenu({ theme }: { readonly theme: Theme }) {
  return (
    <div class="pop" id="user-menu" popover="auto">
      <ThemeSwitch theme={theme} />
      <hr />
      <a href="/app/account">
        <Icon name="people" />
        Your account
      </a>
      <a href="/docs">
        <Icon name="info" />
        Guides
      </a>
      <hr />
      <form method="post" action="/app/sign-out">
        <button class="item" type="submit">
          <Icon name="back" />
          Sign out
        </button>
      </form>
    </div>
  )
}

const LABELS: Readonly<Record<Theme, string>> = { system: "System", light: "Light", dark: "Dark" }

/** Acts at once, by the style sheet. A script then remembers the choice; without one there is a button. */
function ThemeSwitch({ theme }: { readonly theme: Theme }) {
  return (
    <form class="field" method="post" action="/app/theme" data-theme-form>
      <fieldset>
        <legend class="vh">Theme</legend>
        <div class="seg">
          {THEMES.map((one) => (
            <label key={one}>
              <input class="vh" type="radio" name="theme" value={one} checked={one === theme} />
              {LABELS[one]}
            </label>
          ))}
        </div>
      </fieldset>
      <button class="button small unscripted" type="submit">
        Keep this theme
      </button>
    </form>
  )
}
