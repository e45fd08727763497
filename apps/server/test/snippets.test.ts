import { execFile } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { isFullTier } from '@community/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { createSnippets } from '../src/rest/openapi/snippets.ts'
import { createToken } from './personal-token.ts'
import { openTestServer } from './test-server.ts'

/** The program that runs the snippets of each language. */
const PROGRAMS: Record<string, [program: string, ...args: string[]]> = {
  sh: ['bash', '-euc'],
  js: [process.execPath, '--input-type=module', '-e'],
  python: ['python3', '-c'],
}
// Curl and Python may be missing where the quick tier runs.
const languages = isFullTier() ? Object.keys(PROGRAMS) : ['js']

const server = await openTestServer()
await server.app.listen({ port: 0, host: '127.0.0.1' })
const { token } = await createToken(server, await server.createMember('Sara Snippet'), 'read')
const url = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}/api`
const markdown = createSnippets(url).join('\n')
const blocks = [...markdown.matchAll(/```(\w+)\n([^]*?)```/g)].map(([, language = '', text = '']) => ({
  language,
  text: text.replace('cmt_…', token),
}))
afterAll(() => server.close())

describe('the snippets of the guide', () => {
  it('are in every language', () => {
    expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(Object.keys(PROGRAMS)))
  })

  it.each(languages)('in %s run unchanged but for the token', async (language) => {
    const [program = '', ...args] = PROGRAMS[language] ?? []
    const outputs: string[] = []
    for (const { text } of blocks.filter((block) => block.language === language))
      outputs.push((await promisify(execFile)(program, [...args, text])).stdout)
    expect(outputs.at(-1)).toContain('Sara Snippet')
    if (language === 'sh') expect(JSON.parse(outputs[0] ?? '')).toMatchObject({ success: true })
  })
})
