import type { ComponentChildren } from "preact"
import { Icon, type IconName } from "./icon.tsx"

type ButtonKind = "primary" | "quiet" | "danger" | "quiet danger"

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

interface DialogButtonProps {
  /** The id of the dialog. */
  readonly opens: string
  /** A page with the same form, for browsers that do not know `command`. */
  readonly href: string
  readonly label: string
  readonly kind?: ButtonKind
  readonly small?: boolean
  readonly about?: string
}

/**
 * Opens a dialog. It is a link to a page with the same form: whoever has a browser that knows `command` gets the dialog instead,
 * because a script turns the link into such a button.
 */
export function DialogButton({ opens, href, label, kind, small = false, about }: DialogButtonProps) {
  const classes = ["button", ...(kind === undefined ? [] : [kind]), ...(small ? ["small"] : [])]
  return (
    <a class={classes.join(" ")} href={href} aria-label={about} data-dialog={opens}>
      {label}
    </a>
  )
}

interface DialogProps {
  readonly id: string
  readonly title: string
  readonly action: string
  readonly submit: string
  readonly keep: string
  readonly danger?: boolean
  readonly children: ComponentChildren
}

/** A question over the page. The same question has a page of its own. */
export function Dialog({ id, title, action, submit, keep, danger = false, children }: DialogProps) {
  return (
    <dialog id={id} aria-labelledby={`${id}-title`}>
      <form method="post" action={action}>
        <h2 id={`${id}-title`}>{title}</h2>
        {children}
        <div class="actions">
          <button type="submit" class="button" formmethod="dialog" formnovalidate>
            {keep}
          </button>
          <button type="submit" class={danger ? "button danger" : "button primary"}>
            {submit}
          </button>
        </div>
      </form>
    </dialog>
  )
}

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
      <DialogButton opens={id} href={href} label={label} kind={quiet ? "quiet danger" : "danger"} />
      <Dialog id={id} title={question} action={href} submit={submit} keep="Cancel" danger>
        {children}
      </Dialog>
    </>
  )
}
