import { fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { RenderedPreview } from './render.ts'

export interface RenderRequest {
  bytes: Uint8Array
  mimeType: string
}
export type RenderMessage = { preview: RenderedPreview } | { unreadable: string }

/** Milliseconds after which the process is killed. */
const TIMEOUT_MS = 60_000
const HEAP_MB = 128

const isBuilt = import.meta.url.endsWith('.js')
const entry = fileURLToPath(new URL(isBuilt ? './render-process.js' : './render-process.ts', import.meta.url))
const loader = () => ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href]

/**
 * Renders the preview of a file in a process of its own, at the lowest priority, which ends afterwards and knows no secrets. Rejects if it
 * crashes, takes longer than a minute or is aborted by `signal`.
 */
export async function renderInProcess(request: RenderRequest, signal: AbortSignal): Promise<RenderMessage> {
  signal.throwIfAborted()
  const child = fork(entry, {
    execArgv: [`--max-old-space-size=${HEAP_MB}`, ...(isBuilt ? [] : loader())],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    signal,
  })
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as RenderMessage))
    // Not once: an error without a listener would end the server.
    child.on('error', reject)
    child.once('exit', (code, killedBy) => reject(new Error(`the decoder ended early: ${killedBy ?? code}`)))
    // A request that cannot be sent means that the process has ended: `exit` says why.
    child.send(request, () => {})
  })
}
