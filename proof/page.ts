// `pnpm --filter @community/proof page`: writes docs/proof.md from what the last runs left in `results/`.
import { readFile, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Result } from './proof.ts'

const HERE = import.meta.dirname
const results = (name: string) => path.join(HERE, 'results', name)

const read = (name: string) => readFile(results(name), 'utf8').catch(() => null)
const dayOf = async (name: string) => (await stat(results(name))).mtime.toISOString().slice(0, 10)
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

async function tableOf(extent: string, command: string): Promise<string> {
  const text = await read(`${extent}.json`)
  if (text === null) return ''
  const rows = (JSON.parse(text) as Result[]).map(({ id, promise, seed, seconds, figures, violations }) => {
    const counted = Object.entries(figures).map(([what, figure]) => `${what}: ${figure}`)
    return `| ${id} | ${cell(promise)} | ${cell(counted.join('; '))} | ${violations.length} | ${seed} | ${seconds} |`
  })
  return `\`${command}\`, ${await dayOf(`${extent}.json`)}, Node ${process.version}

| # | promise | counted and measured | violations | seed | s |
|---|---|---|---|---|---|
${rows.join('\n')}
`
}

const machine = `${os.cpus().length} x ${os.cpus()[0]?.model.trim()}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, ${os.type()} ${os.release()}`
const full = await tableOf('full', 'pnpm proof')
const long = await tableOf('long', 'pnpm proof --long')
const saboteurs = await read('saboteurs.md')

const page = `# Proof

Promises about safety, kept or broken by the built server on a real PostgreSQL that syncs to disk, with a real SMTP server, an OpenID
provider and, where \`TEST_S3_ENDPOINT\` names one, a real S3 server. One file a promise in \`proof/promises\`; after each the invariants of
\`packages/db/src/testing-invariants.ts\` must hold. A violation ends the run with 1.

\`npm test\` runs the short form. A run says its seed; \`pnpm proof --seed N R4\` repeats it.

Measured on ${machine}.

## The full form

${full}
${long && `## The long form\n\n${long}`}
${saboteurs === null ? '' : `## Saboteurs\n\nA deliberate fault, one at a time, in a copy of the last commit; the test that noticed it first. \`pnpm saboteurs\`, ${await dayOf('saboteurs.md')}\n\n${saboteurs}`}`

await writeFile(path.join(HERE, '../docs/proof.md'), `${page.trimEnd()}\n`)
