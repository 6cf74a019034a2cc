import { Icon, type IconName } from "./icon.tsx"

interface ButtonLinkProps {
  readonly href: string
  readonly label: string
  readonly kind?: "primary" | "quiet" | "danger" | "quiet danger"
  readonly icon?: IconName
  readonly small?: boolean
  /** For screen readers, where the label alone does not say what it is about. */
  readonly about?: string | undefined
  /** The id of a dialog with the same question as the page: a script opens it instead. */
  readonly opens?: string
  readonly download?: boolean
}

/** A link that looks like a button. */
export function ButtonLink({ href, label, kind, icon, small, about, opens, download }: ButtonLinkProps) {
  const classes = ["button", kind, small && "small"].filter(Boolean).join(" ")
  return (
    <a class={classes} href={href} aria-label={about} data-dialog={opens} download={download}>
      {icon !== undefined && <Icon name={icon} />}
      {label}
    </a>
  )
}

export const CsvLink = ({ href, label = "Download CSV" }: Readonly<{ href: string; label?: string }>) => (
  <ButtonLink kind="quiet" icon="download" href={href} label={label} download />
)
