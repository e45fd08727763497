import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'

/** The folder of the package; null if it is not installed. */
function packageFolder(): string | null {
  try {
    // The entry point is in a subfolder.
    let folder = path.dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium'))
    while (path.basename(folder) !== 'chromium' && folder !== path.dirname(folder)) folder = path.dirname(folder)
    return existsSync(path.join(folder, 'bin', 'chromium.br')) ? folder : null
  } catch {
    return null
  }
}

async function unpack(from: string, folder: string): Promise<void> {
  const read = async (name: string) => brotliDecompressSync(await readFile(path.join(from, 'bin', name)))
  await mkdir(folder, { recursive: true })
  for (const archive of ['al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br'])
    execFileSync('tar', ['-x', '-C', folder], { input: await read(archive) })
  await writeFile(path.join(folder, 'chromium'), await read('chromium.br'), { mode: 0o755 })
}

const fontSettings = (folder: string) =>
  `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${folder}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${folder}/font-cache</cachedir></fontconfig>`

/**
 * The Chromium inside the npm package @sparticuz/chromium, unpacked once under `cache` with the libraries and fonts it needs.
 * Null if it is not installed. Not unpacked by the package itself, which shares a folder in /tmp and disables web security.
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
    // Renamed when complete, so that no other run sees a partial folder.
    const temporaryFolder = `${folder}.${process.pid}`
    try {
      await unpack(from, temporaryFolder)
      await rename(temporaryFolder, folder)
    } catch (error) {
      if (!existsSync(executablePath)) throw error
    } finally {
      await rm(temporaryFolder, { recursive: true, force: true })
    }
  }
  const fonts = path.join(folder, 'fonts.conf')
  await writeFile(fonts, fontSettings(folder))
  const libraries = [path.join(folder, 'lib'), process.env['LD_LIBRARY_PATH']].filter(Boolean)
  return { executablePath, env: { LD_LIBRARY_PATH: libraries.join(':'), FONTCONFIG_FILE: fonts } }
}
