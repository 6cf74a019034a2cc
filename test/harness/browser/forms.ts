/** The attributes of a control, and the value that it would send: undefined for an empty box. */
export interface Control {
  readonly attributes: Readonly<Record<string, string>>
  readonly name: string
  readonly value: string | undefined
}

export interface PageForm {
  readonly action: string
  readonly controls: readonly Control[]
}

/** Every form of the page's main part that is sent with POST. */
export function formsIn(html: string): readonly PageForm[] {
  const forms: { action: string; controls: Control[] }[] = []

  const add = (control: Control) => void forms.at(-1)?.controls.push(control)
  const replaceLast = (value: string) => {
    const last = forms.at(-1)?.controls.pop()
    if (last !== undefined) add({ ...last, value })
  }

  new HTMLRewriter()
    .on("main form[method=post]", {
      element: (form) => void forms.push({ action: decode(form.getAttribute("action") ?? ""), controls: [] }),
    })
    .on("main form[method=post] input", {
      element: (input) => {
        const attributes = attributesOf(input)
        const { name = "", type = "", value = "" } = attributes
        const isBox = type === "checkbox" || type === "radio"
        const isEmpty = type === "file" || (isBox && !("checked" in attributes))
        add({ attributes, name, value: isEmpty ? undefined : value })
      },
    })
    .on("main form[method=post] select", {
      element: (select) =>
        add({ attributes: attributesOf(select), name: select.getAttribute("name") ?? "", value: undefined }),
    })
    .on("main form[method=post] option", {
      element: (option) => {
        const isFirst = forms.at(-1)?.controls.at(-1)?.value === undefined
        if (isFirst || option.hasAttribute("selected")) replaceLast(decode(option.getAttribute("value") ?? ""))
      },
    })
    .on("main form[method=post] textarea", {
      element: (area) => add({ attributes: attributesOf(area), name: area.getAttribute("name") ?? "", value: "" }),
      text: ({ text }) => replaceLast((forms.at(-1)?.controls.at(-1)?.value ?? "") + decode(text)),
    })
    .transform(html)
  return forms
}

/** The form that a page is for: the first one in which something can be typed, or else the last one. */
export const mainForm = (forms: readonly PageForm[]): PageForm | undefined =>
  forms.find(({ controls }) => controls.some(({ attributes }) => attributes["type"] !== "hidden")) ?? forms.at(-1)

const attributesOf = ({ attributes }: HTMLRewriterTypes.Element) =>
  Object.fromEntries([...attributes].map(([name = "", value = ""]) => [name, decode(value)]))

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' }

export const decode = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot);/g, (_, name: string) => ENTITIES[name] ?? "")
