import type { ComponentChildren } from "preact"
import { ButtonLink } from "../button-link.tsx"
import { Icon } from "../icon.tsx"
import { FormContext } from "./errors.tsx"

interface FilterBarProps {
  readonly action: string
  /** The address of the page: its query gives the values of the fields. */
  readonly url: URL
  readonly isFiltered: boolean
  readonly children: ComponentChildren
}

/** Filters of a long list, as a form. They are in the address, so that a view can be bookmarked and shared. */
export function FilterBar({ action, url, isFiltered, children }: FilterBarProps) {
  return (
    <FormContext.Provider value={{ values: Object.fromEntries(url.searchParams), errors: {} }}>
      <search class="no-print">
        <form method="get" action={action} class="card fields filter-fields">
          {children}
          <div class="actions">
            <button type="submit" class="button">
              Show
            </button>
            {isFiltered && <ButtonLink kind="quiet" href={action} label="Show all" />}
          </div>
        </form>
      </search>
    </FormContext.Provider>
  )
}

interface SearchProps {
  readonly name: string
  /** What is searched, such as "campaigns and buyers". */
  readonly what: string
  readonly value: string
}

/** A search field in one line with other filters. `/` puts the cursor into it. */
export function SearchInput({ name, what, value }: SearchProps) {
  const label = `Search ${what}`
  return (
    <div class="input">
      <Icon name="search" />
      <input type="search" id={name} name={name} value={value} aria-label={label} placeholder={label} data-search />
      <kbd class="scripted desk">/</kbd>
    </div>
  )
}

export interface Segment {
  readonly href: string
  readonly label: string
  readonly count?: string | undefined
  readonly isCurrent: boolean
}

/** A few ways to look at the same list, of which one is chosen. */
export function Segments({ label, segments }: { readonly label: string; readonly segments: readonly Segment[] }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls, and these are links.
    <div class="seg" role="group" aria-label={label}>
      {segments.map(({ href, label: text, count, isCurrent }) => (
        <a key={text} href={href} aria-current={isCurrent ? "true" : undefined}>
          {text}
          {count !== undefined && <span>{count}</span>}
        </a>
      ))}
    </div>
  )
}
