/** What is wrong with a value: the place as a JSON pointer (RFC 6901), a sentence, and the JSON Schema keyword. */
export interface Problem {
  readonly pointer: string
  readonly message: string
  readonly keyword: string
}

/** "/pricing_options/0/currency" becomes "pricing_options[0].currency". */
export function pathOf(pointer: string): string {
  let path = ""
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~")
    if (/^\d+$/.test(name)) path += `[${name}]`
    else path += path === "" ? name : `.${name}`
  }
  return path
}

export const childPointer = (pointer: string, name: string | number): string =>
  `${pointer}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`
