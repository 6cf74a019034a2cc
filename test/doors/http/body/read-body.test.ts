import { expect, test } from "bun:test"
import { isFailure } from "../../../../src/domain/failure.ts"
import { readBody } from "../../../../src/doors/http/body/read-body.ts"

test("a body that takes too long is given up with 408", async () => {
  const never = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"items":['))
    },
  })
  const request = new Request("http://localhost/", { method: "POST", body: never })
  const outcome = await readBody(request, { bytesMax: 1_024, secondsMax: 0.01 })
  if (!isFailure(outcome)) throw new Error("there is no whole body to be had")
  expect(outcome).toMatchObject({ code: "body_timeout", status: 408, headers: { Connection: "close" } })
})
