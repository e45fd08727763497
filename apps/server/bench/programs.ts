import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { APP_SECRET, freePort, spawnServer, NO_LIMITS, type Settings } from '@community/testing/server'
import { build } from 'esbuild'

const SERVER = fileURLToPath(new URL('..', import.meta.url))
/** The web app's package. */
export const WEB = path.join(SERVER, '../web')
/** Inside the package, so that the bundles find the packages that they do not contain. */
const OUT = path.join(SERVER, 'node_modules/.cache/bench')
const PRODUCT = path.join(OUT, 'product')
const BUNDLES = {
  product: PRODUCT,
  uncached: path.join(OUT, 'product-uncached'),
  adapter: path.join(OUT, 'product-adapter'),
}
/** A copy of the built web app, so that another build does not change it during the run. */
export const WEB_DIST = path.join(OUT, 'web')
const BARE = path.join(OUT, 'bare-server.mjs')

/** Replaces code in one file of a bundle. Throws unless exactly one file has it. */
function replaceInBundle(folder: string, code: string, replacement: string): void {
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const files = scripts.map((name) => path.join(folder, name))
  const [file = '', ...others] = files.filter((name) => readFileSync(name, 'utf8').includes(code))
  if (file === '' || others.length > 0) throw new Error(`${code} is not in exactly one file of the bundle`)
  writeFileSync(file, readFileSync(file, 'utf8').replace(code, replacement))
}

/** The response cache for results instead of bytes: the official adapter serializes what a procedure returns. */
const CACHED_RESULT = `const results=new WeakMap;globalThis.cachedResult=async(query,next)=>{
  const key=keyOf(query);if(key===undefined)return next();
  const bytes=await cache('result '+key,async()=>{const result=await next(),bytes=Buffer.from(JSON.stringify(result.data));results.set(bytes,result);return bytes});
  return results.get(bytes)};`
const CACHE_RESULTS =
  'async function cacheResults({ctx,path,getRawInput,next}){return cachedResult({ctx,path,input:await getRawInput()},next)}'

/** Leaves every query to the official tRPC adapter, with the response cache below it. */
function useAdapter(folder: string): void {
  replaceInBundle(folder, 'const queries=parseQueries(request);', 'const queries=undefined;')
  replaceInBundle(folder, 'return{call,async queryBody(', `${CACHED_RESULT}return{call,async queryBody(`)
  const use = 'baseProcedure.use('
  replaceInBundle(
    folder,
    `${use}function rejectInvalidToken(`,
    `${use}${CACHE_RESULTS}).use(function rejectInvalidToken(`,
  )
}

/**
 * Bundles the product, variants of it without the response cache and with the official tRPC adapter, and the bare server. The web app must
 * be built before.
 */
export async function buildPrograms(): Promise<void> {
  rmSync(OUT, { recursive: true, force: true })
  cpSync(path.join(WEB, 'dist'), WEB_DIST, { recursive: true })
  execFileSync(process.execPath, ['build.mjs', PRODUCT], { cwd: SERVER })
  cpSync(PRODUCT, BUNDLES.uncached, { recursive: true })
  replaceInBundle(BUNDLES.uncached, 'cache(key,()=>createJson(query))', 'createJson(query)')
  cpSync(PRODUCT, BUNDLES.adapter, { recursive: true })
  useAdapter(BUNDLES.adapter)
  await build({
    entryPoints: [path.join(SERVER, 'bench/bare-server.ts')],
    outfile: BARE,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  })
}

export type Program = Awaited<ReturnType<typeof start>>

/** Starts a program and resolves once it answers from the database. */
async function start(main: string, settings: Settings) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { child, output, exited } = spawnServer({ PORT: String(port), APP_URL: url, ...settings }, { main })
  const isReady = async () => {
    const response = await fetch(`${url}/api/teams/leaderboard?limit=100`).catch(() => null)
    await response?.arrayBuffer()
    return response?.ok ?? false
  }
  for (; !(await isReady()); await sleep(2))
    if (child.exitCode !== null) throw new Error(`${main} ended before it responded: ${output.err}`)
  return {
    port,
    pid: child.pid ?? 0,
    async stop(): Promise<void> {
      child.kill('SIGTERM')
      await exited
    },
  }
}

interface ProductOptions {
  databaseUrl: string
  dataDir: string
  bundle?: keyof typeof BUNDLES | undefined
}

/** The settings of production, so that as few embedded services as possible start. */
const productSettings = (databaseUrl: string, dataDir: string): Settings => ({
  NODE_ENV: 'production',
  EMBEDDED: '1',
  APP_SECRET,
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  // Nothing listens there: no mail is sent, and no embedded mail server is started.
  SMTP_URL: 'smtp://127.0.0.1:9',
  LOG_LEVEL: 'fatal',
  TRUST_PROXY: 'loopback',
  DRAIN_SECONDS: '0',
  ...NO_LIMITS,
  WEB_DIR: WEB_DIST,
})

export const startProduct = ({ databaseUrl, dataDir, bundle = 'product' }: ProductOptions): Promise<Program> =>
  start(path.join(BUNDLES[bundle], 'main.js'), {
    ...productSettings(databaseUrl, dataDir),
    MIGRATIONS_DIR: path.join(SERVER, '../../drizzle/migrations'),
  })

/** Builds and starts the product of another checkout, whose dependencies are installed. */
export function startCheckout(root: string, { databaseUrl, dataDir }: ProductOptions): Promise<Program> {
  const server = path.join(root, 'apps/server')
  const out = path.join(server, 'node_modules/.cache/bench/checkout')
  execFileSync(process.execPath, ['build.mjs', out], { cwd: server })
  return start(path.join(out, 'main.js'), {
    ...productSettings(databaseUrl, dataDir),
    MIGRATIONS_DIR: path.join(root, 'drizzle/migrations'),
  })
}

export const startBare = (databaseUrl: string): Promise<Program> => start(BARE, { DATABASE_URL: databaseUrl })
