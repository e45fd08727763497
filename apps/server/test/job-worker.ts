// A separate process that runs jobs, for tests that kill it.
import { connect } from '@community/db'
import pino from 'pino'
import { createSecret } from '../src/auth/secret.ts'
import type { Deps } from '../src/context.ts'
import { readConfig } from '../src/config.ts'
import { createMailer } from '../src/integrations/mailer.ts'
import { createFileStorage } from '../src/integrations/storage-files.ts'
import { mailHandler } from '../src/jobs/mail.ts'
import { previewHandler } from '../src/jobs/previews.ts'
import { startWorker } from '../src/jobs/worker.ts'

// A killed test run ends none of its processes, and this one would look for jobs for ever.
process.on('disconnect', () => process.exit())

const {
  WORKER_DATABASE: url = '',
  WORKER_SMTP: smtpUrl = '',
  WORKER_FILES: files = '',
  WORKER_KEY: key = '',
} = process.env
// Cast below, because the worker uses only these dependencies.
const deps: Partial<Deps> = {
  db: connect(url).db,
  config: readConfig({ NODE_ENV: 'test', APP_URL: 'https://community.example' }),
  secret: createSecret(Buffer.from(key, 'hex')),
  storage: createFileStorage(files),
  mailer: createMailer({ smtpUrl, from: 'a@community.example' }),
  log: pino({ level: 'silent' }),
}
startWorker(deps as Deps, {
  mail: mailHandler(deps as Deps),
  preview: previewHandler(deps as Deps, new AbortController().signal),
})
