import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { isFullTier } from '@community/testing'
import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../src/rest/docs-ui.ts'
import { DOCUMENT_SETTINGS } from './response-checker.ts'

interface Problem {
  ruleId: string
  message: string
  location: { pointer: string }[]
}

/** Findings of Redocly's strict rules that are right about the document and wrong about the API, by operation. */
const ACCEPTED = [
  // The specification's addresses: literal segments win over parameters, and each pair differs in its method.
  'no-ambiguous-paths /challenges/{id}/apply',
  'no-ambiguous-paths /challenges/{id}/reminder',
  'no-ambiguous-paths /challenges/{id}/submissions',
  'no-ambiguous-paths /challenges/{id}/submit',
  'no-ambiguous-paths /users/{id}/teams',
  // Redirects to the provider; there is no success to describe.
  'operation-2xx-response /auth/google/get/responses',
  // Health checks refuse nobody.
  'operation-4xx-response /health/get/responses',
  'operation-4xx-response /health/live/get/responses',
]

const lineOf = ({ ruleId, location }: Problem) =>
  `${ruleId} ${(location[0]?.pointer ?? '').replace('#/paths/', '').replaceAll('~1', '/')}`

async function lint(document: object): Promise<string[]> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'community-document-'))
  const file = path.join(dir, 'openapi.json')
  await writeFile(file, JSON.stringify(document))
  const cli = path.join(path.dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin/cli.js')
  const config = fileURLToPath(new URL('../redocly.yaml', import.meta.url))
  const run = promisify(execFile)(process.execPath, [cli, 'lint', file, '--config', config, '--format', 'json'], {
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    maxBuffer: 64 * 1024 * 1024,
  })
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  await rm(dir, { recursive: true, force: true })
  const { problems } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { problems: Problem[] }
  return problems.map(lineOf).toSorted()
}

async function spectralFindings(document: object): Promise<string[]> {
  const spectral = new Spectral()
  spectral.setRuleset({ extends: [oas] } as never)
  const findings = await spectral.run(document as Record<string, unknown>)
  return findings.map(({ code, path: place, message }) => `${code} ${place.join('/')}: ${message}`)
}

describe('the OpenAPI document', () => {
  it('passes recommended-strict of Redocly but for the named findings', async () => {
    expect(await lint(openApiDocument(DOCUMENT_SETTINGS))).toEqual(ACCEPTED)
  })

  // Half a minute of CPU: nightly.
  it.runIf(isFullTier())(
    'passes spectral:oas, which finds what is wrong',
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
