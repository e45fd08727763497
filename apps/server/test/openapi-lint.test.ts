import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { isFullTier } from '@community/testing'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { openApiDocument } from '../src/rest/docs-ui.ts'
import { DOCUMENT_SETTINGS } from './response-checker.ts'

/** A part of Redocly's JSON output. */
interface LintResult {
  totals: { errors: number; warnings: number; ignored: number }
  problems: { ruleId: string; message: string; location: { pointer: string }[] }[]
}

const IGNORED = '.redocly.lint-ignore.yaml'
const serverFile = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url))

async function lint(document: object): Promise<LintResult> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'community-document-'))
  const file = path.join(dir, 'openapi.json')
  await writeFile(file, JSON.stringify(document))
  // The ignore file names documents relative to the configuration.
  for (const name of ['redocly.yaml', IGNORED]) await copyFile(serverFile(name), path.join(dir, name))
  const cli = path.join(path.dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin/cli.js')
  const run = promisify(execFile)(process.execPath, [cli, 'lint', file, '--format', 'json'], {
    cwd: dir,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    maxBuffer: 64 * 1024 * 1024,
  })
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  await rm(dir, { recursive: true, force: true })
  return JSON.parse(stdout.slice(stdout.indexOf('{'))) as LintResult
}

/** The number of places that Redocly ignores. */
async function countIgnored(): Promise<number> {
  const rules: Record<string, Record<string, string[]>> = parse(await readFile(serverFile(IGNORED), 'utf8'))
  return Object.values(rules).flatMap((places) => Object.values(places).flat()).length
}

async function spectralFindings(document: object): Promise<string[]> {
  const spectral = new Spectral()
  spectral.setRuleset({ extends: [oas] } as never)
  const findings = await spectral.run(document as Record<string, unknown>)
  return findings.map(({ code, path: place, message }) => `${code} ${place.join('/')}: ${message}`)
}

describe('the OpenAPI document', () => {
  it('passes recommended-strict of Redocly, and every ignored finding still exists', async () => {
    const { problems, totals } = await lint(openApiDocument(DOCUMENT_SETTINGS))
    expect(problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`)).toEqual([])
    expect(totals).toEqual({ errors: 0, warnings: 0, ignored: await countIgnored() })
  })

  // Takes half a minute of CPU, so it runs nightly only.
  it.runIf(isFullTier())(
    'passes spectral:oas, which reports an invalid document',
    async () => {
      const document = JSON.parse(JSON.stringify(openApiDocument(DOCUMENT_SETTINGS)))
      expect(await spectralFindings(document)).toEqual([])
      const { paths, components, ...rest } = document
      const wrong = { ...rest, components, paths: { '/roles': { get: { ...paths['/roles'].get, operationId: 1 } } } }
      expect(await spectralFindings(wrong)).not.toEqual([])
    },
    180_000,
  )
})
