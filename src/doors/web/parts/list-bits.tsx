import type { ComponentChildren } from "preact"
import type { Errors } from "../form.ts"
import { FieldError, useFieldError } from "./errors.tsx"
import { type Choice, Hint } from "./field.tsx"

interface FilterBarProps {
  readonly action: string
  readonly isFiltered: boolean
  readonly children: ComponentChildren
}

/** Choices of what a long list shows. They are in the address, so that a view can be kept and sent on. */
export function FilterBar({ action, isFiltered, children }: FilterBarProps) {
  return (
    <search>
      <form method="get" action={action} class="filters">
        {children}
        <div class="actions">
          <button type="submit">Show</button>
          {isFiltered && (
            <a class="button quiet" href={action}>
              Show all
            </a>
          )}
        </div>
      </form>
    </search>
  )
}

interface CheckGroupProps {
  readonly name: string
  readonly legend: string
  readonly choices: readonly Choice[]
  readonly checked: readonly string[]
  readonly hint?: ComponentChildren
  readonly errors?: Errors | undefined
  /** A long list scrolls in a box of its own. */
  readonly long?: boolean
}

export function CheckGroup({ name, legend, choices, checked, hint, errors, long }: CheckGroupProps) {
  const { error, attributes } = useFieldError(name, errors, hint !== undefined)
  return (
    <fieldset class={error === undefined ? "field checks" : "field checks wrong"}>
      <legend>{legend}</legend>
      <FieldError name={name} error={error} />
      <div class={long === true ? "checks-list long" : "checks-list"}>
        {chosenFirst(choices, checked).map(({ value, label }, index) => (
          <label key={value}>
            <input
              type="checkbox"
              name={name}
              value={value}
              checked={checked.includes(value)}
              {...(index === 0 && { id: name, ...attributes })}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      <Hint name={name} hint={hint} />
    </fieldset>
  )
}

/** What is chosen must not hide below the edge of the box. */
function chosenFirst(choices: readonly Choice[], checked: readonly string[]): Choice[] {
  const isChosen = ({ value }: Choice) => checked.includes(value)
  return [...choices.filter(isChosen), ...choices.filter((choice) => !isChosen(choice))]
}

export function CsvLink({ href }: { readonly href: string }) {
  return (
    <a class="button quiet" href={href} download>
      Download CSV
    </a>
  )
}

/** JSON to read: it scrolls in its own box. */
export function JsonView({ label, value }: { readonly label: string; readonly value: unknown }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class="json" aria-label={label} tabIndex={0}>
      <pre>{JSON.stringify(value, null, 2)}</pre>
    </section>
  )
}

const SHORT = 60

/** A text that would make a table hard to read opens when it is asked for. */
export function LongCode({ text }: { readonly text: string }) {
  if (text.length <= SHORT) return <code>{text}</code>
  return (
    <details class="long-code">
      <summary>
        <code>{text.slice(0, SHORT)}…</code>
      </summary>
      <code class="wrap">{text}</code>
    </details>
  )
}
