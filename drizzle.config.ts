import { defineConfig } from "drizzle-kit"

// scripts/migrations.ts runs drizzle-kit once for each engine, and writes the schema that it reads.
const engine = process.env["ADBOOTH_ENGINE"] === "postgres" ? "postgres" : "sqlite"

export default defineConfig({
  dialect: engine === "postgres" ? "postgresql" : "sqlite",
  schema: `./migrations/${engine}/schema.ts`,
  out: `./migrations/${engine}`,
})
