import { ConfigError, readConfig } from './config.ts'

try {
  const config = readConfig(process.env)
  // Imported after the settings are valid: loading the server takes seconds on a busy machine.
  const [, , command, file] = process.argv
  if (command === 'migrate') await (await import('./start/migrate.ts')).migrateOnly(config)
  else if (command === 'export') await (await import('./start/archive-commands.ts')).exportTo(file, config)
  else if (command === 'import') await (await import('./start/archive-commands.ts')).importFrom(file, config)
  else await (await import('./start/serve.ts')).serve(config)
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
