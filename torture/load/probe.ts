// Asks /healthz again and again until its input ends, in a process of its own, so that measuring does not wait for the load.

export {}

const url = process.argv[2] ?? ""
let isOver = false
void Bun.stdin.text().then(() => {
  isOver = true
})
let slowest = 0
let probes = 0
while (!isOver) {
  const began = performance.now()
  await (await fetch(`${url}/healthz`)).text()
  slowest = Math.max(slowest, performance.now() - began)
  probes++
  await Bun.sleep(5)
}
console.log(JSON.stringify({ slowest, probes }))
