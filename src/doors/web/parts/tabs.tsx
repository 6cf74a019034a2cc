export interface TabsProps {
  readonly label: string
  readonly tabs: readonly { readonly href: string; readonly label: string }[]
  /** The address of the tab that is shown. */
  readonly current: string
}

/** Pages about the same thing. */
export function Tabs({ label, tabs, current }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ href, label: text }) => (
        <a key={href} href={href} aria-current={href === current ? "page" : undefined}>
          {text}
        </a>
      ))}
    </nav>
  )
}
