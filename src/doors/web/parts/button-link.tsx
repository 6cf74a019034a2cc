import { Icon, type IconName } from "./icon.tsx"

export type ButtonKind = "primary" | "quiet" | "danger" | "quiet danger"

interface ButtonLinkProps {
  readonly href: string
  readonly label: string
  readonly kind?: ButtonKind
  readonly icon?: IconName
  readonly small?: boolean
  /** For screen readers, where the label alone does not say what it is about. */
  readonly about?: string | undefined
}

/** A link that looks like a button. */
export function ButtonLink({ href, label, kind, icon, small = false, about }: ButtonLinkProps) {
  const classes = ["button", ...(kind === undefined ? [] : [kind]), ...(small ? ["small"] : [])]
  return (
    <a class={classes.join(" ")} href={href} aria-label={about}>
      {icon !== undefined && <Icon name={icon} />}
      {label}
    </a>
  )
}

export function CsvLink({ href, label = "Download CSV" }: { readonly href: string; readonly label?: string }) {
  return (
    <a class="button quiet" href={href} download>
      <Icon name="download" />
      {label}
    </a>
  )
}
