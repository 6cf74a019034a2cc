import type { ComponentChildren } from "preact"
import { Mark } from "./icon.tsx"

/** The card at the door, below the awning: for whoever is not signed in. */
export function Stall({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="card stall">
      <div class="awning" />
      <div class="brand">
        <Mark />
        Adbooth
      </div>
      <h1>{title}</h1>
      {children}
    </section>
  )
}
