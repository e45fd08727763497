import { defineConfig } from 'drizzle-kit'

// Run through `pnpm db:generate --name what_changes`: a migration's name tells what it does.
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/schema/index.ts',
  out: '../../drizzle/migrations',
  casing: 'snake_case',
})
