import type { ComponentChildren } from "preact"
import { Icon, type IconName, Mark } from "./icon.tsx"

interface ButtonProps {
  readonly label: ComponentChildren
  readonly kind?: "primary" | "quiet" | "danger" | "quiet danger" | "unscripted"
  readonly icon?: IconName
  readonly small?: boolean
  /** For screen readers, where the label alone does not say what it is about. */
  readonly about?: string | undefined
}

const buttonClass = ({ kind, small }: ButtonProps) => ["button", kind, small && "small"].filter(Boolean).join(" ")

const ButtonText = ({ icon, label }: ButtonProps) => [icon !== undefined && <Icon name={icon} />, label]

interface ButtonLinkProps extends ButtonProps {
  readonly href: string
  /** The id of a dialog with the same question as the page: a script opens it instead. */
  readonly opens?: string
  readonly download?: boolean
  readonly rel?: string
}

export const ButtonLink = ({ opens, href, download, rel, ...button }: ButtonLinkProps) => (
  <a class={buttonClass(button)} href={href} aria-label={button.about} data-dialog={opens} {...{ download, rel }}>
    <ButtonText {...button} />
  </a>
)

type SubmitProps = ButtonProps & Readonly<{ name?: string; value?: string; formnovalidate?: boolean }>

export const Submit = ({ name, value, formnovalidate, ...button }: SubmitProps) => (
  <button type="submit" class={buttonClass(button)} aria-label={button.about} {...{ name, value, formnovalidate }}>
    <ButtonText {...button} />
  </button>
)

type PostButtonProps = ButtonProps & Readonly<{ action: string; children?: ComponentChildren }>

/** A form that is nothing but its button. */
export const PostButton = ({ action, children, ...button }: PostButtonProps) => (
  <form method="post" action={action}>
    {children}
    <Submit {...button} />
  </form>
)

export const CsvLink = ({ href, label = "Download CSV" }: Readonly<{ href: string; label?: string }>) => (
  <ButtonLink kind="quiet" icon="download" href={href} label={label} download />
)

export const PrintButton = () => (
  <button type="button" class="button scripted" data-print>
    <Icon name="print" />
    Print or save as PDF
  </button>
)

/** What is on the page, to take along. */
export const CsvAndPrint = ({ href }: { readonly href: string }) => (
  <>
    <CsvLink href={href} label="CSV" />
    <PrintButton />
  </>
)

type LetterheadProps = Readonly<{ logo: string | null; name: string; children?: ComponentChildren }>

export const Letterhead = ({ logo, name, children }: LetterheadProps) => (
  <header class="letterhead">
    <div class="with">
      {logo !== null && <img class="logo" src={logo} alt="" />}
      <b class="figure mid">{name}</b>
    </div>
    {children}
  </header>
)

export type Tone = "good" | "warn" | "bad" | "info" | "over" | "live" | "off"

/** A shape beside each colour, so that nothing depends on seeing the colour. */
export type BadgeShape = "dot" | "down" | "up" | "done" | "ring" | "dash" | "word"

type BadgeProps = Readonly<{ tone?: Tone; shape?: BadgeShape; children: ComponentChildren }>

export type Look = readonly [tone: Tone, shape: BadgeShape, word: string]

export const LookBadge = ({ look: [tone, shape, word] }: { readonly look: Look }) => (
  <Badge tone={tone} shape={shape}>
    {word}
  </Badge>
)

export const Badge = ({ tone = "off", shape = tone === "off" ? "word" : "dot", children }: BadgeProps) => (
  <span class={shape === "dot" ? `badge ${tone}` : `badge ${tone} ${shape}`}>{children}</span>
)

const ICONS = { good: "check", info: "info", warn: "warning", bad: "error" } as const

interface BannerProps {
  readonly tone: keyof typeof ICONS
  /** Whether screen readers announce it: for what just happened, not for what is always there. */
  readonly live?: boolean
  readonly isScreenOnly?: boolean
  readonly children: ComponentChildren
}

export function Banner({ tone, live = false, isScreenOnly = false, children }: BannerProps) {
  const role = tone === "bad" || tone === "warn" ? "alert" : "status"
  return (
    <div class={`banner ${tone}${isScreenOnly ? " no-print" : ""}`} role={live ? role : undefined}>
      <Icon name={ICONS[tone]} />
      <div>{children}</div>
    </div>
  )
}

type EmptyProps = Readonly<{ title: string; text: string; children?: ComponentChildren }>

/** Shown in place of an empty list: what the list is for, and what to do next. */
export const Empty = ({ title, text, children }: EmptyProps) => (
  <section class="empty">
    <Mark />
    <h2>{title}</h2>
    <p>{text}</p>
    {children && <div class="actions">{children}</div>}
  </section>
)

interface CardProps {
  readonly title?: ComponentChildren
  /** How many there are, beside the title. */
  readonly count?: string | undefined
  /** For a card without a visible title. */
  readonly label?: string
  readonly id?: string
  readonly actions?: ComponentChildren
  /** Without a margin inside, for a table or a list that has its own. */
  readonly flush?: boolean
  readonly children: ComponentChildren
}

export const Card = ({ title, count, label, id, actions, flush = false, children }: CardProps) => (
  <section class={flush ? "card flush" : "card"} id={id} aria-label={label}>
    {title !== undefined && (
      <div class="card-head">
        <h2>
          {title}
          {count !== undefined && <span class="soft plain"> {count}</span>}
        </h2>
        {actions}
      </div>
    )}
    {children}
  </section>
)

type FoldProps = Readonly<{ title: string; note: string; id?: string; isOpen?: boolean; children: ComponentChildren }>

/** A card that readers open to know more. */
export const Fold = ({ title, note, id, isOpen = false, children }: FoldProps) => (
  <details class="fold" id={id} open={isOpen}>
    <summary>
      {title} <small>{note}</small>
    </summary>
    <div class="stack">{children}</div>
  </details>
)

export interface Fact {
  readonly term: string
  readonly value: ComponentChildren
  readonly tone?: Tone | undefined
  readonly note?: ComponentChildren
}

/** What is not known is left out. */
type FactsProps = Readonly<{ facts: readonly (Fact | null | false)[] }>

export const factsOf = (facts: FactsProps["facts"]) =>
  facts.map(
    (fact) =>
      fact && (
        <div>
          <dt>{fact.term}</dt>
          <dd class={fact.tone === undefined ? undefined : `tone ${fact.tone}`}>
            {fact.value}
            {fact.note !== undefined && <small>{fact.note}</small>}
          </dd>
        </div>
      ),
  )

export const Facts = ({ facts }: FactsProps) => <dl class="facts">{factsOf(facts)}</dl>

/** A few large figures in a card of their own. */
export const Stats = ({ facts }: FactsProps) => <dl class="card stats">{factsOf(facts)}</dl>

export interface Todo {
  readonly tone: Tone
  readonly icon: IconName
  /** What it is about, and what about it: "City Walks" "is 17% behind plan". */
  readonly subject: string
  readonly what: string
  readonly text: ComponentChildren
  readonly below?: ComponentChildren
  /** Where it is done, and what to press there. */
  readonly href?: string | undefined
  readonly action?: string
  /** In place of that link, where there is more than one way. */
  readonly ways?: ComponentChildren
}

export const TodoList = ({ todos }: { readonly todos: readonly Todo[] }) => (
  <ul class="todo">
    {todos.map(({ tone, icon, subject, what, text, below, href, action = "Open", ways }) => (
      <li>
        <span class={`tile ${tone}`}>
          <Icon name={icon} />
        </span>
        <div>
          <h3>
            <strong>{subject}</strong> {what}
          </h3>
          <p>{text}</p>
          {below}
        </div>
        {href !== undefined && <ButtonLink small href={href} label={action} about={`${action}: ${subject}`} />}
        {ways}
      </li>
    ))}
  </ul>
)

/** A text to copy: selectable as it is, with a button where scripts run. */
export const Copyable = ({ id, label, text }: Readonly<{ id: string; label: string; text: string }>) => (
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

interface KeyOnceProps {
  readonly title: string
  readonly text: ComponentChildren
  readonly secrets: readonly { readonly id: string; readonly label: string; readonly text: string }[]
  readonly children: ComponentChildren
}

/** A secret that is shown once, such as a key, a link or codes. */
export const KeyOnce = ({ title, text, secrets, children }: KeyOnceProps) => (
  <section class="card once form-card">
    <h2 class="with">
      <Icon name="key" />
      {title}
    </h2>
    <p>{text}</p>
    {secrets.map((secret) => (
      <Copyable {...secret} />
    ))}
    {children}
  </section>
)

type DoorProps = Readonly<{ href: string; icon: IconName; title: string; text: string }>

/** One of a few ways to go, in a `doors` navigation. */
export const Door = ({ href, icon, title, text }: DoorProps) => (
  <a href={href}>
    <Icon name={icon} />
    <span>
      <b>{title}</b>
      <small>{text}</small>
    </span>
    <Icon name="arrow" />
  </a>
)
