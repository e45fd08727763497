import type { StoredFile } from '@community/contract'
import { inTransaction } from '@community/db'
import { uploads } from '@community/db/schema'
import type { Deps, AuthenticatedContext } from '../context.ts'
import sharp from 'sharp'
import { createFileUrl, createKey } from '../uploads/file-url.ts'
import { pick } from './seed-context.ts'

const COLORS = ['#1E4AA6', '#E5A11A', '#0B6A4E', '#AE2F19', '#5140C0', '#036966']
const SIZES = ['1280x800', '1600x900', '900x1200'] as const
const KHATAM =
  'M32 0l9.37 9.37h13.26v13.26L64 32l-9.37 9.37v13.26H41.37L32 64l-9.37-9.37H9.37V41.37L0 32l9.37-9.37V9.37h13.26z'

/** A photo-sized PNG of tiles in two colours. */
function createTilesPng(seed: number): Promise<Buffer> {
  const [width, height] = pick(SIZES, seed / 4).split('x')
  const scale = 2 + (seed % 5)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <pattern id="tiles" width="64" height="64" patternUnits="userSpaceOnUse" patternTransform="scale(${scale})">
      <rect width="64" height="64" fill="${pick(COLORS, seed / 4)}"/><path fill="${pick(COLORS, seed / 4 + 1)}" d="${KHATAM}"/>
      <circle cx="32" cy="32" r="12" fill="#FBF8F3"/>
    </pattern>
    <rect width="100%" height="100%" fill="url(#tiles)"/></svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}

/** A PDF of one page. */
function createReportPdf(seed: number): Buffer {
  const text = `0.12 0.29 0.65 rg 0 420 612 372 re f 1 1 1 rg BT /F1 48 Tf 56 600 Td (Report number ${seed}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  return Buffer.from(
    `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`,
    'latin1',
  )
}

/** Stores a picture or a document like an upload of the user. */
export async function storeDemoFile(
  deps: Deps,
  { user }: AuthenticatedContext,
  seed: number,
): Promise<Pick<StoredFile, 'secureUrl'>> {
  const isPicture = seed % 12 !== 0
  const bytes = isPicture ? await createTilesPng(seed) : createReportPdf(seed)
  const row = {
    key: createKey(),
    originalName: isPicture ? `zellige-${seed}.png` : `rapport-${seed}.pdf`,
    size: bytes.length,
    mimeType: isPicture ? 'image/png' : 'application/pdf',
  }
  await deps.storage.put(row.key, bytes, { contentType: row.mimeType, size: row.size })
  await inTransaction(deps.db, (tx) => tx.insert(uploads).values({ ...row, userId: user.id }))
  return { secureUrl: createFileUrl(deps.config.appUrl, row) }
}
