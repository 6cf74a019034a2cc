import type { ComponentChildren } from "preact"
import { formatNumber } from "./format.tsx"
import { Icon } from "./icon.tsx"

interface FilterBarProps {
  readonly url: URL
  /** The names of its fields. Other choices stay in the address. */
  readonly fields: readonly string[]
  /** Shows the button even if scripts run, because typed dates don't apply at once. */
  readonly hasButton?: boolean
  readonly children: ComponentChildren
}

/** A row of filters. The result begins on its first page. */
export const FilterBar = ({ url, fields, hasButton = false, children }: FilterBarProps) => (
  <search class="filters no-print">
    <form action={url.pathname}>
      {children}
      {[...url.searchParams]
        .filter(([name]) => !["from", "before", ...fields].includes(name))
        .map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
      <button type="submit" class={hasButton ? "button" : "button unscripted"}>
        Show
      </button>
    </form>
  </search>
)

/** A search field in one line with other filters. `/` goes to it. */
export const SearchInput = ({ what, text }: { readonly what: string; readonly text: string }) => (
  <div class="input">
    <Icon name="search" />
    <input
      type="search"
      name="q"
      value={text}
      aria-label={`Search ${what}`}
      placeholder={`Search ${what}`}
      data-search
    />
    <kbd class="scripted desk">/</kbd>
  </div>
)

interface ChoiceFilterProps {
  readonly url: URL
  readonly name: string
  readonly label: string
  readonly choices: readonly (readonly [value: string, words: string])[]
  /** What is chosen, if it isn't in the address. */
  readonly chosen?: string
}

/** One of many, which applies at once if scripts run. */
export const ChoiceFilter = ({ url, name, label, choices, chosen }: ChoiceFilterProps) => (
  <select name={name} aria-label={label} data-go>
    {choices.map(([value, words]) => (
      <option value={value} selected={value === (chosen ?? url.searchParams.get(name) ?? "")}>
        {words}
      </option>
    ))}
  </select>
)

interface Segment {
  readonly href: string
  readonly words: string
  /** How many rows it shows. */
  readonly count?: number
  readonly isChosen: boolean
}

/** One of a few, as links beside each other. */
export const Segments = ({ label, segments }: { readonly label: string; readonly segments: readonly Segment[] }) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields, and these are links.
  <div class="seg" role="group" aria-label={label}>
    {segments.map(({ href, words, count, isChosen }) => (
      <a href={href} aria-current={isChosen ? "true" : undefined}>
        {words}
        {count !== undefined && <span class="hint plain">{formatNumber(count)}</span>}
      </a>
    ))}
  </div>
)
