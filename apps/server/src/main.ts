import { type Config, ConfigError, readConfig } from './config.ts'

const [, , command, file] = process.argv

/** Runs what needs the settings. Imports it after they are valid: loading the server takes seconds on a busy machine. */
async function run(config: Config): Promise<void> {
  if (command === 'migrate') await (await import('./start/migrate.ts')).migrateOnly(config)
  else if (command === 'export') await (await import('./start/archive-commands.ts')).exportTo(file, config)
  else if (command === 'import') await (await import('./start/archive-commands.ts')).importFrom(file, config)
  else await (await import('./start/serve.ts')).serve(config)
}

try {
  // Its output is settings: it runs before they are complete.
  if (command === 'vapid-keys') (await import('./start/vapid-keys.ts')).printVapidKeys()
  else await run(readConfig(process.env))
} catch (error) {
  // Errors of the user, without a stack. By name: the class is loaded with its command.
  if (error instanceof ConfigError || (error instanceof Error && error.name === 'ArchiveError'))
    process.stderr.write(`${error.message}\n`)
  else
    process.stderr.write(
      `The start failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    )
  process.exit(1)
}
