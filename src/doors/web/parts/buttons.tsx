import type { ComponentChildren } from "preact"
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

interface AskFirstProps {
  readonly id: string
  /** The page that asks the same; the form goes there too. */
  readonly href: string
  readonly label: string
  readonly question: string
  readonly submit: string
  readonly quiet?: boolean
  readonly children: ComponentChildren
}

/** A button for something that cannot be undone: it asks in a dialog, or on the page of the link where there are no scripts. */
export function AskFirst({ id, href, label, question, submit, quiet = false, children }: AskFirstProps) {
  return (
    <>
      <ButtonLink opens={id} href={href} label={label} kind={quiet ? "quiet danger" : "danger"} />
      <dialog id={id} aria-labelledby={`${id}-title`}>
        <form method="post" action={href}>
          <h2 id={`${id}-title`}>{question}</h2>
          {children}
          <div class="actions">
            <button type="submit" class="button" formmethod="dialog" formnovalidate>
              Cancel
            </button>
            <button type="submit" class="button danger">
              {submit}
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}
