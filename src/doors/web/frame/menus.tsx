import type { SignedIn } from "../../../storage/port/store.ts"
import { THEMES, type Theme } from "../cookies.ts"
import { Submit } from "../parts/blocks.tsx"
import { FindInput } from "../parts/form/choices.tsx"
import { Icon } from "../parts/icon.tsx"
import { ORGANIZATIONS } from "./navigation.ts"
import { SWITCHED_TO_MAX, type VisitorPlace } from "./place.ts"

type Props = Readonly<{ place: VisitorPlace }>

export const canSwitch = ({ organizations }: VisitorPlace) => organizations.length > 1

/** The organization that is being looked at, where there are others; opens the menu of them. */
export function OrganizationButton({ place }: Props) {
  if (!canSwitch(place)) return null
  const name = place.organization?.name ?? ""
  return (
    <button class="who org" type="button" popovertarget="organizations">
      <Face name={name} />
      <span>
        {name}
        <small>{roleOf(place)}</small>
      </span>
      <span class="vh">Switch organization</span>
      <Icon name="switch" />
    </button>
  )
}

function roleOf({ isOperator, role }: VisitorPlace): string {
  if (isOperator) return "Operator"
  return role === "admin" ? "Admin" : "Member"
}

export function OrganizationMenu({ place }: Props) {
  if (!canSwitch(place)) return null
  const { organization, organizations, isOperator } = place
  const visible = organizations.filter(({ id }, i) => i < SWITCHED_TO_MAX || id === organization?.id)
  return (
    <div class="pop under" id="organizations" popover="auto">
      {organizations.length > SWITCHED_TO_MAX / 3 && (
        <div class="field scripted input">
          <Icon name="search" />
          <FindInput what="an organization" list="organization-list" />
        </div>
      )}
      <ul id="organization-list">
        {visible.map(({ id, slug, name }) => (
          <li>
            <a href={`/app/o/${slug}`} aria-current={id === organization?.id ? "true" : undefined}>
              <Face name={name} />
              <span>{name}</span>
              {id === organization?.id && <Icon name="check" />}
            </a>
          </li>
        ))}
      </ul>
      {isOperator && visible.length < organizations.length && <a href={ORGANIZATIONS}>Show all</a>}
    </div>
  )
}

const Face = ({ name, isRound = false }: { readonly name: string; readonly isRound?: boolean }) => (
  <span class={isRound ? "face round" : "face"} aria-hidden="true">
    {initialsOf(name)}
  </span>
)

export const UserButton = ({ person }: { readonly person: SignedIn }) => (
  <button class="who" type="button" popovertarget="user-menu">
    <Face name={person.name} isRound />
    <span>{person.name}</span>
    <span class="vh">Account and theme</span>
    <Icon name="switch" />
  </button>
)

export const UserMenu = ({ theme }: { readonly theme: Theme }) => (
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

const LABELS: Readonly<Record<Theme, string>> = { system: "System", light: "Light", dark: "Dark" }

/** Acts at once, by the style sheet. A script then remembers the choice; without one there is a button. */
const ThemeSwitch = ({ theme }: { readonly theme: Theme }) => (
  <form class="field" method="post" action="/app/theme" data-theme-form>
    <fieldset>
      <legend class="vh">Theme</legend>
      <div class="seg">
        {THEMES.map((choice) => (
          <label>
            <input class="vh" type="radio" name="theme" value={choice} checked={choice === theme} />
            {LABELS[choice]}
          </label>
        ))}
      </div>
    </fieldset>
    <Submit small kind="unscripted" label="Keep this theme" />
  </form>
)

/** Two letters for a round or square sign: Lighthouse Audio is LA, Fernweh is FE. */
function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "" && word.toLowerCase() !== "the")
  const [first = "", second] = words
  const letters = second === undefined ? [...first].slice(0, 2) : [[...first][0], [...second][0]]
  return letters.join("").toUpperCase()
}
