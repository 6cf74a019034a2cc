import { Icon } from "../icon.tsx"
import type { Choice } from "./choice.ts"
import { useField } from "./errors.tsx"
import { FieldGroup, type Labelled } from "./field-frame.tsx"

interface CheckGroupProps extends Labelled {
  readonly choices: readonly Choice[]
  readonly checked: readonly string[]
  /** What to search for, such as "a format"; without it there is no search. */
  readonly find?: string
}

/** Several of many, in a box that scrolls. Those that are ticked come first, so that none hides below its edge. */
export function CheckGroup({ name, label, hint, choices, checked, find }: CheckGroupProps) {
  const { error, attributes } = useField(name, hint !== undefined)
  const isChecked = ({ value }: Choice) => checked.includes(value)
  const sorted = [...choices.filter(isChecked), ...choices.filter((choice) => !isChecked(choice))]
  const count = choices.filter(isChecked).length
  return (
    <FieldGroup name={name} label={label} hint={hint} error={error} optional={false}>
      <div class="picker">
        {find !== undefined && (
          <div class="input scripted">
            <Icon name="search" />
            <input
              type="search"
              aria-label={`Find ${find}`}
              placeholder={`Find ${find}`}
              data-filter={`${name}-list`}
            />
          </div>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
        <ul id={`${name}-list`} tabIndex={0} aria-label={label}>
          {sorted.map((choice, index) => (
            <li key={choice.value}>
              <label class="choice">
                <input
                  type="checkbox"
                  name={name}
                  value={choice.value}
                  checked={isChecked(choice)}
                  {...(index === 0 && { id: name, ...attributes })}
                />
                <span>
                  {choice.label}
                  {choice.note !== undefined && <small>{choice.note}</small>}
                </span>
              </label>
            </li>
          ))}
        </ul>
        <p class="hint" data-count={`${name}-list`}>
          {count} of {choices.length} chosen
        </p>
      </div>
    </FieldGroup>
  )
}
