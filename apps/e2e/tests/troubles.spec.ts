import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from '@playwright/test'
import { contract, routesOf } from '../../../packages/contract/src/index.ts'
import { test } from '../test.ts'
import { aHouse, type House } from '../troubles/house.ts'
import { tryCall } from '../troubles/place.ts'
import { TABLE } from '../troubles/table.ts'

const SOURCES = fileURLToPath(new URL('../../web/src/', import.meta.url))

/** Whatever the web client is written in, but its tests. */
const source = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
  .map((name) => readFileSync(`${SOURCES}${name}`, 'utf8'))
  .join('\n')

test('every call of the web client is one of those that are tried in trouble', () => {
  const procedures = routesOf(contract)
    .map(([name]) => name)
    .filter((name) => new RegExp(`\\.${name.replace('.', '\\s*\\.')}\\b`).test(source))
  const paths = [...source.matchAll(/'(\/api\/[^']+)'/g)].map(([, path]) => path)
  expect(new Set(Object.keys(TABLE))).toEqual(new Set([...procedures, ...paths]))
})

// Part of the full reliability run alone: minutes long.
test.describe('in trouble', { tag: '@full' }, () => {
  // One house for all, one call after the other.
  test.describe.configure({ mode: 'default' })
  let house: House
  test.beforeAll(async () => {
    test.slow()
    house = await aHouse()
  })

  for (const [call, place] of Object.entries(TABLE))
    test(`${call}: refused, cut, no JSON, slow`, async ({ browser }) => {
      test.slow()
      await tryCall(browser, call, place, house)
    })
})
