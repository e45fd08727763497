import { type Config, ConfigError, readConfig } from './config.ts'

const [, , command, file] = process.argv

/** Runs a command that needs the settings. It is imported once they are valid, because loading the server takes seconds on a busy machine. */
async function run(config: Config): Promise<void> {
  if (command === 'migrate') await (await import('./start/migrate.ts')).migrateOnly(config)
  else if (command === 'export') await (await import('./start/archive-commands.ts')).exportTo(file, config)
  else if (command === 'import') await (await import('./start/archive-commands.ts')).importFrom(file, config)
  else await (await import('./start/serve.ts')).serve(config)
}

try {
  // `vapid-keys` prints settings, so it must run before they are complete.
  if (command === 'vapid-keys') (await import('./start/vapid-keys.ts')).printVapidKeys()
  else await run(readConfig(process.env))
} catch (error) {
  // Mistakes of the operator need no stack. `ArchiveError` is compared by name, because its module is loaded with its command only.
  if (error instanceof ConfigError || (error instanceof Error && error.name === 'ArchiveError'))
    process.stderr.write(`${error.message}\n`)
  else
    process.stderr.write(
      `The start failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    )
  process.exit(1)
}
