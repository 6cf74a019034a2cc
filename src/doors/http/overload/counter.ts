/**
 * How much is taken of something that is bounded. It is never NaN, infinite or negative: nothing compares with NaN, so that one wrong
 * amount would switch the bound off for good.
 */
export class Counter {
  #total = 0

  get total(): number {
    return this.#total
  }

  add(amount: number): void {
    const total = this.#total + amount
    if (!Number.isSafeInteger(total) || total < 0) throw new RangeError(`${amount} cannot be added to ${this.#total}`)
    this.#total = total
  }
}
