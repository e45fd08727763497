import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { brotliDecompressSync, createBrotliDecompress } from 'node:zlib'

const BLOCK = 512

/** Unpacks a plain tar archive: folders and files are all that these hold. */
async function unpackTar(archive: Buffer, folder: string): Promise<void> {
  for (let at = 0; at + BLOCK <= archive.length && archive[at] !== 0; ) {
    const name = archive.toString('utf8', at, at + 100).replace(/\0.*/s, '')
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 136), 8) || 0
    const type = String.fromCharCode(archive[at + 156] ?? 0)
    const file = path.join(folder, name)
    if (path.relative(folder, file).startsWith('..')) throw new Error(`The archive leaves its folder: ${name}`)
    const begin = at + BLOCK
    if (type === '5') await mkdir(file, { recursive: true })
    else if (type === '0' || type === '\0') {
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, archive.subarray(begin, begin + size))
    }
    at = begin + Math.ceil(size / BLOCK) * BLOCK
  }
}

/** The folder of the package, or null where it is not installed. */
function packageFolder(): string | null {
  try {
    let folder = path.dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium'))
    while (!existsSync(path.join(folder, 'bin', 'chromium.br'))) {
      if (folder === path.dirname(folder)) return null
      folder = path.dirname(folder)
    }
    return folder
  } catch {
    return null
  }
}

async function unpack(from: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const archive of ['al2023', 'fonts', 'swiftshader'])
    await unpackTar(brotliDecompressSync(await readFile(path.join(from, 'bin', `${archive}.tar.br`))), folder)
  await pipeline(
    createReadStream(path.join(from, 'bin', 'chromium.br')),
    createBrotliDecompress(),
    createWriteStream(path.join(folder, 'chromium'), { mode: 0o755 }),
  )
}

const fontSettings = (folder: string) =>
  `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${folder}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${folder}/font-cache</cachedir></fontconfig>`

/**
 * The Chromium inside the npm package @sparticuz/chromium, unpacked once under `cache` with the libraries and fonts it needs.
 * Null where there is none. The package's own unpacking is not used: it shares a folder in /tmp, and its arguments switch
 * the web's security off.
 */
export async function unpackShippedChromium(
  cache: string,
): Promise<{ executablePath: string; env: Record<string, string> } | null> {
  const from = packageFolder()
  if (!from || process.platform !== 'linux' || process.arch !== 'x64') return null
  const { version } = JSON.parse(await readFile(path.join(from, 'package.json'), 'utf8')) as { version: string }
  const folder = path.join(cache, `chromium-${version}`)
  const executablePath = path.join(folder, 'chromium')
  if (!existsSync(executablePath)) {
    // Aside first: another run never sees half of it.
    const draft = `${folder}.${process.pid}`
    try {
      await unpack(from, draft)
      await rename(draft, folder)
    } catch (error) {
      if (!existsSync(executablePath)) throw error
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
  }
  const fonts = path.join(folder, 'fonts.conf')
  await writeFile(fonts, fontSettings(folder))
  const libraries = [path.join(folder, 'lib'), process.env['LD_LIBRARY_PATH']].filter(Boolean)
  return { executablePath, env: { LD_LIBRARY_PATH: libraries.join(':'), FONTCONFIG_FILE: fonts } }
}
