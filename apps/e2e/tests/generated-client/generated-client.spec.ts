import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { validInput } from '@community/testing'
import { expect } from '@playwright/test'
import { test } from '../../test.ts'
import openapiTS, { astToString } from 'openapi-typescript'
import { ADMIN } from '@community/testing/server'
import { newestCode } from '../../inbox.ts'
import { inboxUrl, url } from '../../site.ts'
import { PIXEL } from '../challenge-steps.ts'
import { newTestUser } from '../steps.ts'
import { runJourney } from './journey.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))

test.describe.configure({ mode: 'serial' })

test('a client generated from the document compiles against the journey', async () => {
  const document = (await (await fetch(`${url}/api/openapi.json`)).json()) as never
  writeFileSync(path.join(folder, 'api.ts'), astToString(await openapiTS(document)))
  const root = createRequire(new URL('../../../../package.json', import.meta.url))
  const tsc = path.join(path.dirname(root.resolve('typescript/package.json')), 'bin/tsc')
  execFileSync(process.execPath, [tsc, '--noEmit', '-p', folder], { stdio: 'inherit' })
})

test('the client registers, creates teams, joins, applies, is evaluated and is on the leaderboard', async () => {
  const { id: _, ...join } = validInput('teams.join', { id: '' })
  const inputs = {
    team: validInput('teams.create'),
    join,
    challenge: validInput('admin.createChallenge', { password: ADMIN.password }),
    picture: PIXEL,
  }
  const codeFor = (email: string) => newestCode(inboxUrl, email)
  const result = await runJourney({ url, admin: ADMIN, inputs, person: newTestUser, codeFor })
  expect(Object.keys(result.card).toSorted()).toEqual([
    '_id',
    'createdAt',
    'id',
    'isActive',
    'maxMembers',
    'name',
    'rolesNeeded',
    'updatedAt',
  ])
  const row = result.leaderboard.find((entry) => entry.id === result.team.id)
  expect(row).toMatchObject({ name: result.team.name, points: 174, challengesCompleted: 1 })
  const otherRow = result.leaderboard.find((entry) => entry.id === result.otherTeam.id)
  expect(otherRow?.points ?? 0).toBe(0)
  expect(result.works.find((work) => work.id === result.byLink.id)).toMatchObject({
    score: 87,
    points: 174,
    status: 'approved',
  })
  expect(result.works.some((work) => work.id === result.byFile.id)).toBe(false)
  expect(result.stored.status).toBe(200)
  expect(result.stored.headers.get('content-type')).toBe('image/png')
  expect(result.stored.headers.get('x-content-type-options')).toBe('nosniff')
  expect(result.stored.headers.get('content-security-policy')).toContain('sandbox')
})
