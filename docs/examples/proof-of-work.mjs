// Asks for a password reset, with a proof of work where the server wants one. No packages needed:
// node proof-of-work.mjs https://community.example name@example.org
import { pbkdf2Sync } from 'node:crypto'

const [origin, email] = process.argv.slice(2)
if (!email) {
  process.stderr.write('Usage: node proof-of-work.mjs ORIGIN EMAIL\n')
  process.exit(1)
}

async function call(path, body, headers) {
  const post = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
  const answer = await (await fetch(`${origin}/api${path}`, body && post)).json()
  if (answer.success || answer.code === 'PROOF_OF_WORK_REQUIRED') return answer
  process.stderr.write(`${answer.message}\n`)
  return process.exit(1)
}

function solve({ nonce, salt, cost, keyLength, keyPrefix }) {
  for (let counter = 0; ; counter++) {
    const password = Buffer.from(nonce + counter.toString(16).padStart(8, '0'), 'hex')
    const key = pbkdf2Sync(password, Buffer.from(salt, 'hex'), cost, keyLength, 'sha256').toString('hex')
    if (key.startsWith(keyPrefix)) return { counter, derivedKey: key }
  }
}

let answer = await call('/auth/forgot-password', { email })
if (answer.code === 'PROOF_OF_WORK_REQUIRED') {
  const { challenge } = (await call(`/auth/proof-of-work?purpose=${answer.proofOfWork}`)).data
  const proof = JSON.stringify({ challenge, solution: solve(challenge.parameters) })
  answer = await call('/auth/forgot-password', { email }, { 'x-proof-of-work': Buffer.from(proof).toString('base64') })
}
process.stdout.write(`${answer.message}\n`)
