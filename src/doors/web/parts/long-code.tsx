const CODE_CHARACTERS_SHOWN = 60

/** A text in a table; a long one is opened by a click. */
export function LongCode({ text }: { readonly text: string }) {
  if (text === "") return null
  if (text.length <= CODE_CHARACTERS_SHOWN) return <code class="wrap">{text}</code>
  return (
    <details class="long-code">
      <summary>
        <code>{text.slice(0, CODE_CHARACTERS_SHOWN)}…</code>
      </summary>
      <code class="wrap">{text}</code>
    </details>
  )
}
