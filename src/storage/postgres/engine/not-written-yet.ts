/** Stands for a part of the store until it is written. */
export function notWrittenYet<Part extends object>(name: string): Part {
  return new Proxy({} as Part, {
    get: (_, method) => () => {
      throw new Error(`${name}.${String(method)} is not written yet`)
    },
  })
}
