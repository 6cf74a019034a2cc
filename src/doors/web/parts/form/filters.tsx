import type { ComponentChildren } from "preact"
import type { Errors } from "../../form.ts"
import { ButtonLink, Submit } from "../blocks.tsx"
import { Icon } from "../icon.tsx"
import { type Choice, Options } from "./choices.tsx"
import { dayType } from "./form.tsx"
import { FieldError, FormContext, useField, useFormErrors } from "./frame.tsx"

interface FilterContextProps {
  /** The address of the page: its query gives the values of the fields. */
  readonly url: URL
  readonly errors?: Errors | undefined
  readonly children: ComponentChildren
}

/** What fields of a filter need of it: what they show, and what is wrong. */
export function FilterContext({ url, errors = {}, children }: FilterContextProps) {
  useFormErrors(errors)
  return (
    <FormContext.Provider value={{ values: Object.fromEntries(url.searchParams), errors }}>
      {children}
    </FormContext.Provider>
  )
}

type FilterBarProps = FilterContextProps & Readonly<{ action: string; isFiltered: boolean; submit?: string }>

/** Filters of a long list, as a form. They are in the address, so that a view can be bookmarked and shared. */
export const FilterBar = ({ action, url, errors, isFiltered, submit = "Show", children }: FilterBarProps) => (
  <FilterContext url={url} errors={errors}>
    <search class="no-print">
      <form method="get" action={action} class="card fields filter-fields">
        {children}
        <div class="actions">
          <Submit label={submit} />
          {isFiltered && <ButtonLink kind="quiet" href={action} label="Show all" />}
        </div>
      </form>
    </search>
  </FilterContext>
)

/** A search field in one line with other filters. `/` puts the cursor into it. */
export function SearchInput({ name, what, value }: Readonly<{ name: string; what: string; value: string }>) {
  const label = `Search ${what}`
  return (
    <div class="input">
      <Icon name="search" />
      <input type="search" id={name} name={name} value={value} aria-label={label} placeholder={label} data-search />
      <kbd class="scripted desk">/</kbd>
    </div>
  )
}

interface FilterSelectProps {
  /** The address of the page: its query says what is chosen. */
  readonly url: URL
  readonly name: string
  readonly label: string
  /** The choice that does not filter, such as "Any outcome". */
  readonly any: string
  readonly choices: readonly Choice[]
}

/** A choice in one line with other filters. It is applied at once. */
export function FilterSelect({ url, name, label, any, choices }: FilterSelectProps) {
  const chosen = url.searchParams.get(name) ?? ""
  return (
    <select id={name} name={name} aria-label={label} data-go>
      <Options choices={[{ value: "", label: any }, ...choices]} chosen={chosen} />
    </select>
  )
}

export function FilterDate({ name, label }: Pick<FilterSelectProps, "name" | "label">) {
  const { error, attributes, value } = useField(name, false)
  const typed: typeof attributes = { type: dayType(value), ...attributes }
  return (
    <div class={error === undefined ? undefined : "wrong"}>
      <FieldError name={name} error={error} />
      <label class="with soft" for={name}>
        {label}
        <input value={value} {...typed} />
      </label>
    </div>
  )
}

export type Segment = Readonly<{ href: string; label: string; count?: string | undefined; isCurrent: boolean }>

/** A few ways to look at the same list, of which one is chosen. */
export const Segments = ({ label, segments }: { readonly label: string; readonly segments: readonly Segment[] }) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls, and these are links.
  <div class="seg" role="group" aria-label={label}>
    {segments.map(({ href, label: text, count, isCurrent }) => (
      <a href={href} aria-current={isCurrent ? "true" : undefined}>
        {text}
        {count !== undefined && <span>{count}</span>}
      </a>
    ))}
  </div>
)
