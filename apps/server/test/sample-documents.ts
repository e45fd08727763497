type Bytes = Uint8Array<ArrayBuffer>

/** Creates a PDF with this number of pages of 200 x 100 points; the first is filled with red. */
export function createPdf(pages = 2): Bytes {
  const fill = '0.86 0.08 0.12 rg 0 0 200 100 re f'
  const kids = Array.from({ length: pages }, (_, index) => `${index + 4} 0 R`)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages} >>`,
    `<< /Length ${fill.length} >>\nstream\n${fill}\nendstream`,
    ...kids.map(
      (_, index) =>
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100]${index === 0 ? ' /Contents 3 0 R' : ''} /Resources << >> >>`,
    ),
  ]
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')
  return Uint8Array.from(
    Buffer.from(`%PDF-1.4\n${body}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\n%%EOF\n`),
  )
}
