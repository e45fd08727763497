import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { adminPasswordProblem } from '@community/contract'
import { describe, expect, it } from 'vitest'
import { PUBLISHED_PASSWORDS, PUBLISHED_SECRETS } from './published-values.ts'

const read = (name: string) => readFileSync(new URL(`../../../../${name}`, import.meta.url), 'utf8')
/** Meets the password rules but is not a password. */
const NOT_A_PASSWORD = 'S3-compatible'
const SETTINGS = [
  '.env.example',
  'deploy/compose/.env.example',
  'deploy/systemd/community.env.example',
  'deploy/kubernetes/secrets.env.example',
  'deploy/kubernetes/postgres/backup.env.example',
]
const FILES = ['README.md', 'compose.yaml', 'deploy/compose/compose.yaml', ...SETTINGS]

/** Words of a file that could be passwords: no addresses, paths or sentences. */
const wordsOf = (text: string) => text.split(/[\s"'`=<>(){}|,;:]+/).filter((word) => /^[^/\\]+$/.test(word))

describe('the list of published values', () => {
  it.each(FILES)('contains every valid administrator password in %s', (name) => {
    const passwords = wordsOf(read(name)).filter(
      (word) => word !== NOT_A_PASSWORD && adminPasswordProblem(word) === null,
    )
    expect(PUBLISHED_PASSWORDS).toEqual(expect.arrayContaining(passwords))
    if (name === 'README.md') expect(passwords).toEqual(expect.arrayContaining([...PUBLISHED_PASSWORDS]))
  })

  it.each(FILES)('contains every valid APP_SECRET in %s', (name) => {
    const secrets = wordsOf(read(name)).filter((word) => word.length >= 32 && new Set(word).size >= 10)
    expect(PUBLISHED_SECRETS).toEqual(expect.arrayContaining(secrets))
  })
})

describe('files of settings', () => {
  it.each(SETTINGS)('%s has no secret and no administrator', (file) => {
    const values = Object.entries(parseEnv(read(file))).filter(([name]) =>
      /SECRET|PASSWORD|ACCESS_KEY|ADMIN_EMAIL/.test(name),
    )
    expect(values.length).toBeGreaterThan(1)
    expect(values.filter(([, value]) => value !== '')).toEqual([])
  })
})
