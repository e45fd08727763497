import { crc32, deflateSync } from 'node:zlib'
import type { StoredFile } from '@community/contract'
import { inTransaction } from '@community/db'
import { uploads } from '@community/db/schema'
import type { Deps, AuthenticatedContext } from '../context.ts'
import { createFileUrl, createKey } from '../uploads/file-url.ts'

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8 + body.length)
  frame.writeUInt32BE(data.length, 0)
  body.copy(frame, 4)
  frame.writeUInt32BE(crc32(body), frame.length - 4)
  return frame
}

/** A PNG of coloured tiles, 256 × 256 pixels. */
function createTilesPng(seed: number): Buffer {
  const size = 256
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const rows = Buffer.alloc(size * (1 + size * 3))
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const tile = ((x >> 5) * 7 + (y >> 5) * 13 + seed * 5) % 6
      const edge = x % 32 < 2 || y % 32 < 2
      const [r, g, b] = edge
        ? [251, 248, 243]
        : ([
            [30, 74, 166],
            [229, 161, 26],
            [11, 106, 78],
            [174, 47, 25],
            [81, 64, 192],
            [3, 105, 102],
          ][tile] as number[])
      rows.set([r as number, g as number, b as number], y * (1 + size * 3) + 1 + x * 3)
    }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** A PDF of one page. */
function createReportPdf(seed: number): Buffer {
  const text = `BT /F1 24 Tf 72 720 Td (Report number ${seed}) Tj ET`
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
  const isPicture = seed % 2 === 0
  const bytes = isPicture ? createTilesPng(seed) : createReportPdf(seed)
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
