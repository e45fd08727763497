import { ConfigError, readConfig } from './config.ts'

try {
  const config = readConfig(process.env)
  // Imported after the settings are valid: loading the server takes seconds on a busy machine.
  if (process.argv[2] === 'migrate') await (await import('./start/migrate.ts')).migrateOnly(config)
  else await (await import('./start/serve.ts')).serve(config)
} catch (error) {
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`)
  else
    process.stderr.write(
      `The start failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    )
  process.exit(1)
}
