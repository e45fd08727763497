import { createServer } from 'node:net'
import type { Config, ConfigError } from '../config.ts'
import { describeError, unusableSetting } from './setting-errors.ts'

/** Rejects when the port is in use, so that no service is started in vain. */
export const checkPort = (host: string, port: number) =>
  new Promise<void>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(port, host, () => probe.close(() => resolve()))
  })

export const listenError = ({ host, port }: Config, error: unknown): ConfigError =>
  (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    ? unusableSetting('PORT', `${port} is in use by another program; set PORT to a free one`)
    : unusableSetting(
        'HOST, PORT',
        `cannot listen on ${host}:${port} (${describeError(error)}); set HOST to an address of this machine and PORT to one that this process may open`,
      )
