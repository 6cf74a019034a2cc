// The official AdCP server on Node, built as its examples do. adcp-sdk.mjs CATALOG.json, a file with formats and products.
import { readFileSync } from "node:fs"
import { createServer } from "node:net"
import { InMemoryStateStore } from "@adcp/sdk/server"
import { createAdcpServer, serve } from "@adcp/sdk/server/legacy/v5"

const { formats = [], products = [] } = JSON.parse(readFileSync(process.argv[2], "utf8"))
const stateStore = new InMemoryStateStore()

/** It wants to be told a port. */
const port = await new Promise((resolve) => {
  const probe = createServer().listen(0, "127.0.0.1", () => {
    const { port } = probe.address()
    probe.close(() => resolve(port))
  })
})

const create = ({ taskStore }) =>
  createAdcpServer({
    name: "bench",
    version: "1.0.0",
    taskStore,
    stateStore,
    mediaBuy: {
      getProducts: async () => ({ products, cache_scope: "public" }),
      listCreativeFormats: async () => ({ formats }),
    },
  })
serve(create, { port, path: "/", onListening: () => console.log(`listening on http://127.0.0.1:${port}`) })
