// Catalogue objects are serialized once, not for every answer. Their JSON is kept beside the object, not inside it: the object stays an
// ordinary one, for which JSON.stringify gives the same. A changed copy does not have it.

const kept = new WeakMap<object, Buffer>()
const texts = new WeakMap<object, string>()

/** Keeps the JSON of an object that will not change any more. */
export function keepJson<Value extends object>(value: Value): Value {
  if (!kept.has(value)) kept.set(value, Buffer.from(JSON.stringify(value)))
  return value
}

/** Keeps the text that an object was parsed from. */
export function keepText(value: object, text: string): void {
  texts.set(value, text)
}

export function keptJson(value: unknown): Buffer | undefined {
  return typeof value === "object" && value !== null ? kept.get(value) : undefined
}

/** The JSON of a value that is not kept. */
export function jsonOf(value: unknown): string {
  const text = typeof value === "object" && value !== null ? texts.get(value) : undefined
  return text ?? JSON.stringify(value) ?? "null"
}

/**
 * Objects with one more field each, which none of them may have yet. The copies exist only for those who ask: an answer is written from
 * the kept JSON of the objects and the new fields.
 */
export class WithField<Value extends object> {
  readonly objects: readonly Value[]
  readonly name: string
  /** In the order of the objects; undefined where one stays as it is. */
  readonly fields: readonly (string | undefined)[]

  constructor(objects: readonly Value[], name: string, fields: readonly (string | undefined)[]) {
    this.objects = objects
    this.name = name
    this.fields = fields
  }

  toJSON(): Value[] {
    return this.objects.map((object, place) => {
      const field = this.fields[place]
      return field === undefined ? object : { ...object, [this.name]: field }
    })
  }
}

/** A line of a text. Answers share lines, so its JSON is made once. */
export class Line {
  readonly text: string
  #json: Buffer | undefined

  constructor(text: string) {
    this.text = text
  }

  /** What stands for it inside the quotation marks of a longer text, with the line break before it. */
  get json(): Buffer {
    this.#json ??= Buffer.from(JSON.stringify(`\n${this.text}`).slice(1, -1))
    return this.#json
  }
}

/** A text of several lines, the first of them new. */
export class Lines {
  readonly first: string
  readonly others: readonly Line[]

  constructor(first: string, others: readonly Line[]) {
    this.first = first
    this.others = others
  }

  toJSON(): string {
    return [this.first, ...this.others.map(({ text }) => text)].join("\n")
  }
}
