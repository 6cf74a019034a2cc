/** Where somebody is in something that takes several pages. */
export function Steps({ steps, current }: { readonly steps: readonly string[]; readonly current: number }) {
  return (
    <ol class="steps">
      {steps.map((step, i) => (
        <li key={step} class={i < current ? "past" : undefined} aria-current={i === current ? "step" : undefined}>
          {step}
        </li>
      ))}
    </ol>
  )
}
