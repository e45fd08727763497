import http from 'node:http'
import postgres from 'postgres'
import { createPasswords } from '../src/auth/passwords.ts'

const PASSWORD = 'Zellige-2026'
/** Sign-ins at once; each of the largest crowd has an account. */
const CROWDS = [10, 25, 50, 100, 125, 150, 175, 200, 300]
/** Milliseconds after which the web app gives up. */
const PATIENCE = 10_000

/** How right sign-ins that come all at once were answered. */
export interface Crowd {
  'who signs in': string
  'at once': number
  'signed in': number
  'refused 429': number
  'refused 503': number
  'per second': number
  'slowest ms': number
}

const addressOf = (index: number) => `10.50.${index >> 8}.${index & 255}`

function login(port: number, email: string, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address }
    const options = { port, host: '127.0.0.1', method: 'POST', path: '/api/auth/login', headers, agent: false }
    const request = http.request(options, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    request.on('error', reject)
    request.end(JSON.stringify({ email, password: PASSWORD }))
  })
}

/**
 * Right sign-ins, all at once, in growing crowds: of many accounts from many addresses, of many behind one address, and of one
 * account. Valid ones should not be refused; the first that are show where the bound is.
 */
export async function measureSignIns(port: number, databaseUrl: string): Promise<Crowd[]> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const hash = await createPasswords().hash(PASSWORD)
  await sql`
    insert into users (name, email, password_hash)
    select 'Crowd ' || n, 'crowd' || n || '@example.ma', ${hash} from generate_series(0, ${Math.max(...CROWDS) - 1}) n`
  const emailOf = (index: number) => `crowd${index}@example.ma`
  const kinds: [string, (index: number) => [email: string, address: string]][] = [
    ['many accounts, many addresses', (index) => [emailOf(index), addressOf(index)]],
    ['many accounts, one address', (index) => [emailOf(index), '10.51.0.1']],
    ['one account, one address', () => [emailOf(0), '10.52.0.1']],
  ]
  const crowds: Crowd[] = []
  for (const [name, whoOf] of kinds)
    for (const size of CROWDS) {
      await sql`delete from rate_limits`
      const began = performance.now()
      const took: number[] = []
      const statuses = await Promise.all(
        Array.from({ length: size }, async (_, index) => {
          const status = await login(port, ...whoOf(index))
          took.push(performance.now() - began)
          return status
        }),
      )
      const count = (wanted: number) => statuses.filter((status) => status === wanted).length
      const slowest = Math.max(...took)
      crowds.push({
        'who signs in': name,
        'at once': size,
        'signed in': count(200),
        'refused 429': count(429),
        'refused 503': count(503),
        'per second': Math.round((count(200) / slowest) * 1000),
        'slowest ms': Math.round(slowest),
      })
      if (count(200) < size || slowest > PATIENCE) break
    }
  await sql.end()
  return crowds
}
