import type { KeptForm } from "./kept-form.ts"

/**
 * The page with what was typed in its form; null when it has no such form. Works on the finished page, so that no form of the app
 * has to know about it. What the form no longer has a field for is sent along unseen.
 */
export function refill(html: string, kept: KeptForm, note: string): string | null {
  const filling = new Filling(kept)
  const rewriter = new HTMLRewriter()
    .on("main", { element: (main) => void main.prepend(note, { html: true }) })
    .on("form", { element: (form) => filling.enter(form) })
    .on("input", { element: (input) => filling.input(input) })
    .on("textarea", { element: (area) => filling.area(area) })
    .on("select", { element: (select) => filling.select(select) })
    .on("option", { element: (option) => filling.option(option) })
    .on("button", { element: (button) => filling.button(button) })
  const filled = rewriter.transform(html)
  return filling.found ? filled : null
}

class Filling {
  found = false
  #inside = false
  #select = ""
  readonly #left: Map<string, string[]>

  readonly #action: string

  constructor(kept: KeptForm) {
    this.#action = kept.action
    const byName = Map.groupBy(kept.fields, ([name]) => name)
    this.#left = new Map([...byName].map(([name, pairs]) => [name, pairs.map(([, value]) => value)]))
  }

  enter(form: HTMLRewriterTypes.Element): void {
    const action = read(form, "action").replace(/[?#].*$/s, "")
    if (this.found || action !== this.#action || form.getAttribute("method") !== "post") return
    this.found = true
    this.#inside = true
    form.onEndTag((end) => {
      this.#inside = false
      const rest = [...this.#left].flatMap(([name, values]) => values.map((value) => hidden(name, value)))
      end.before(rest.join(""), { html: true })
    })
  }

  input(input: HTMLRewriterTypes.Element): void {
    const name = read(input, "name")
    const type = read(input, "type")
    if (!this.#inside || name === "" || type === "password" || type === "file") return
    if (type === "checkbox" || type === "radio") {
      mark(input, "checked", this.#take(name, read(input, "value")))
      return
    }
    const typed = [this.#next(name), ...this.#unseenChoices(name)].filter((text) => text !== undefined && text !== "")
    const text = typed.join(", ")
    // A date input would show nothing of a day that was typed in words.
    if (type === "date" || type === "time") input.setAttribute("type", /^[\d:-]*$/.test(text) ? type : "text")
    input.setAttribute("value", forAttribute(text))
  }

  area(area: HTMLRewriterTypes.Element): void {
    if (!this.#inside) return
    // A line break right after the tag is not part of the text.
    const text = this.#next(read(area, "name")) ?? ""
    area.setInnerContent(text.startsWith("\n") ? `\n${text}` : text)
  }

  select(select: HTMLRewriterTypes.Element): void {
    this.#select = read(select, "name")
  }

  option(option: HTMLRewriterTypes.Element): void {
    const isKnown = this.#inside && this.#left.has(this.#select)
    if (isKnown) mark(option, "selected", this.#take(this.#select, read(option, "value")))
  }

  /** Which button was pressed is not what was typed. */
  button(button: HTMLRewriterTypes.Element): void {
    if (this.#inside) this.#left.delete(read(button, "name"))
  }

  #next(name: string): string | undefined {
    return this.#left.get(name)?.shift()
  }

  #take(name: string, value: string): boolean {
    const values = this.#left.get(name) ?? []
    const index = values.indexOf(value)
    if (index >= 0) values.splice(index, 1)
    return index >= 0
  }

  /** Choices that were added with a script, such as countries: the text field beside them says them again. */
  #unseenChoices(name: string): string[] {
    if (!name.endsWith("_add")) return []
    const choices = this.#left.get(name.slice(0, -"_add".length)) ?? []
    return choices.splice(0).filter((choice) => choice !== "*" || !choices.push(choice))
  }
}

function mark(element: HTMLRewriterTypes.Element, name: string, isOn: boolean): void {
  if (isOn) element.setAttribute(name, "")
  else element.removeAttribute(name)
}

const hidden = (name: string, value: string) =>
  `<input type="hidden" name="${Bun.escapeHTML(name)}" value="${Bun.escapeHTML(value)}">`

/** The rewriter escapes only quotation marks, and reads attributes as they are written. */
const forAttribute = (text: string) => text.replaceAll("&", "&amp;")

const read = (element: HTMLRewriterTypes.Element, name: string): string =>
  (element.getAttribute(name) ?? "").replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&")
