import { Icon } from "./icon.tsx"

type CopyableProps = Readonly<{ id: string; label: string; text: string }>

/** A text to copy: selectable as it is, with a button where scripts run. */
export function Copyable({ id, label, text }: CopyableProps) {
  return (
    <div class="field">
      <span class="label">{label}</span>
      <div class="code">
        {text.includes("\n") ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
          <pre id={id} tabIndex={0}>
            {text}
          </pre>
        ) : (
          <code id={id}>{text}</code>
        )}
        <button type="button" class="button small scripted" data-copy={id} aria-label={`Copy: ${label}`}>
          <Icon name="copy" />
          <span>Copy</span>
        </button>
      </div>
    </div>
  )
}
