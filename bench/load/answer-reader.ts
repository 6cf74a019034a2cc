const HEADER_END = Buffer.from("\r\n\r\n")
const LAST_CHUNK = Buffer.from("0\r\n\r\n")

/** Follows one HTTP answer through the pieces in which it arrives, and says when it is complete and what its status is. */
export class AnswerReader {
  #received: Buffer = Buffer.alloc(0)
  #missing = -1
  #chunked = false
  status = 0

  /** True once the whole answer has arrived; the reader is then ready for the next one. */
  take(piece: Buffer): boolean {
    if (this.#missing >= 0) this.#missing -= piece.length
    else if (this.#chunked) this.#received = Buffer.concat([this.#received.subarray(-LAST_CHUNK.length), piece])
    else this.#takeHeader(this.#received.length === 0 ? piece : Buffer.concat([this.#received, piece]))
    return this.#complete()
  }

  #takeHeader(received: Buffer): void {
    this.#received = received
    const end = received.indexOf(HEADER_END)
    if (end === -1) return
    const header = received.toString("latin1", 0, end).toLowerCase()
    // The line may arrive in pieces, so it is read with the header.
    this.status = Number(header.slice(9, 12))
    this.#chunked = header.includes("\r\ntransfer-encoding: chunked")
    if (this.#chunked) return
    const length = /\r\ncontent-length: (\d+)/.exec(header)?.[1]
    this.#missing = Number(length ?? 0) - (received.length - end - HEADER_END.length)
  }

  #complete(): boolean {
    const complete = this.#chunked
      ? this.#received.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
      : this.#missing === 0
    if (complete) {
      this.#received = Buffer.alloc(0)
      this.#missing = -1
      this.#chunked = false
    }
    return complete
  }
}
