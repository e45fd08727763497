// A process of its own that sends mails: to be killed while it does.
import { connect } from '@community/db'
import pino from 'pino'
import { createSecret } from '../src/auth/secret.ts'
import type { Deps } from '../src/context.ts'
import { readConfig } from '../src/config.ts'
import { createMailer } from '../src/integrations/mailer.ts'
import { mailHandler } from '../src/jobs/mail.ts'
import { startWorker } from '../src/jobs/worker.ts'

const { WORKER_DATABASE: url = '', WORKER_SMTP: smtpUrl = '', WORKER_KEY: key = '' } = process.env
// The one cast: a worker uses these dependencies and no others.
const deps: Partial<Deps> = {
  db: connect(url).db,
  config: readConfig({ NODE_ENV: 'test', APP_URL: 'https://community.example' }),
  secret: createSecret(Buffer.from(key, 'hex')),
  mailer: createMailer({ smtpUrl, from: 'a@community.example' }),
  log: pino({ level: 'silent' }),
}
startWorker(deps as Deps, { mail: mailHandler(deps as Deps) })
