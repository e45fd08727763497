// The entry of the process that decodes one untrusted file, sends its preview and ends: a crash of a decoder ends nothing else.
import { writeFileSync } from 'node:fs'
import os from 'node:os'
import { setFlagsFromString } from 'node:v8'
import type { RenderMessage, RenderRequest } from './render-in-process.ts'
import { renderPreview } from './render.ts'

/** Limits WebAssembly, which renders PDFs, to 256 MB: a hostile file would take more. A page has 64 KiB. */
const WASM_PAGES_MAX = 4096
setFlagsFromString(`--wasm-max-mem-pages=${WASM_PAGES_MAX}`)

try {
  os.setPriority(os.constants.priority.PRIORITY_LOW)
  // When memory runs out, the kernel ends this process before the server.
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // Not Linux.
}

process.once('disconnect', () => process.exit())
async function render({ bytes, mimeType }: RenderRequest): Promise<void> {
  const message: RenderMessage = await renderPreview(bytes, mimeType).then(
    (preview) => ({ preview }),
    (error: unknown) => ({ unreadable: error instanceof Error ? error.message : String(error) }),
  )
  process.send?.(message, () => process.disconnect())
}

process.once('message', (request: RenderRequest) => void render(request))
