// Catalogue objects are serialized once, not for every answer. Their JSON is kept beside the object, not inside it: the object stays an
// ordinary one, for which JSON.stringify gives the same.

/** The JSON of an object: bytes that many answers share, and what follows them in this one. */
export interface Fragment {
  readonly shared: Buffer
  readonly rest: string
}

class Same {
  constructor(value: object) {
    // biome-ignore lint/correctness/noConstructorReturn: it is how a private field gets onto an object of another class.
    return value
  }
}

/**
 * Puts a private field onto a copy: neither JSON nor a further copy shows it, so that a changed copy never has the JSON of its original.
 * A WeakMap does the same for objects that stay, but entries for fifty copies an answer keep the garbage collector busy.
 */
class Copy extends Same {
  #fragment: Fragment
  constructor(value: object, fragment: Fragment) {
    super(value)
    this.#fragment = fragment
  }
  static fragmentOf(value: object): Fragment | undefined {
    return #fragment in value ? value.#fragment : undefined
  }
}

const fragments = new WeakMap<object, Fragment>()
const texts = new WeakMap<object, string>()

/** Keeps the JSON of an object that will not change any more. */
export function keepJson<Value extends object>(value: Value): Value {
  if (fragments.has(value)) return value
  const json = JSON.stringify(value)
  // Without the last bracket, so that a copy with one more field can share the bytes.
  fragments.set(value, { shared: Buffer.from(json.slice(0, -1)), rest: json.slice(-1) })
  return value
}

/** Keeps the text that an object was parsed from. */
export function keepText(value: object, text: string): void {
  texts.set(value, text)
}

export function fragmentOf(value: object): Fragment | undefined {
  return Copy.fragmentOf(value) ?? fragments.get(value)
}

/** The JSON of a value that is no fragment. */
export function jsonOf(value: unknown): string {
  const text = typeof value === "object" && value !== null ? texts.get(value) : undefined
  return text ?? JSON.stringify(value) ?? "null"
}

/** A copy with one more field, of which only that field is serialized. The value must not have the field yet. */
export function withField<Value extends object, Name extends string, Field>(
  value: Value,
  name: Name,
  field: Field,
): Value & Record<Name, Field> {
  const copy = { ...value, [name]: field } as Value & Record<Name, Field>
  const known = fragments.get(value)
  if (known !== undefined)
    new Copy(copy, { shared: known.shared, rest: `,"${name}":${JSON.stringify(field)}${known.rest}` })
  return copy
}
